#include "driver/module_cache.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

namespace xesim::driver {

namespace {

namespace fs = std::filesystem;

constexpr char kMagic[8] = {'x', 'e', 's', 'i', 'm', 'z', 'e', '1'};
constexpr std::uintmax_t kMostBytes = std::uintmax_t{512} << 20;

struct Header {
  char magic[sizeof kMagic];
  std::uint64_t key_size;
  std::uint64_t module_size;
  std::uint64_t module_hash;
};

// FNV-1a: names files, and finds damage; the key itself is compared byte for byte.
std::uint64_t hash_of(std::span<const std::byte> bytes) {
  std::uint64_t hash = 0xCBF2'9CE4'8422'2325u;
  for (const std::byte byte : bytes) {
    hash = (hash ^ static_cast<std::uint64_t>(byte)) * 0x100'0000'01B3u;
  }
  return hash;
}

}  // namespace

ModuleCache ModuleCache::of_user() {
  if (const char* chosen = std::getenv("XESIM_CACHE")) {
    return ModuleCache(chosen);
  }
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/') {
    return ModuleCache(fs::path(cache) / "ze_sim_gpu");
  }
  const char* home = std::getenv("HOME");
  return ModuleCache(home != nullptr && *home == '/' ? fs::path(home) / ".cache/ze_sim_gpu"
                                                     : fs::path());
}

fs::path ModuleCache::path_of(const std::string& key) const {
  char name[32];
  std::snprintf(name, sizeof name, "%016llx.zebin",
                static_cast<unsigned long long>(hash_of(std::as_bytes(std::span(key)))));
  return folder_ / name;
}

std::optional<std::vector<std::byte>> ModuleCache::find(const std::string& key) const {
  if (folder_.empty()) {
    return std::nullopt;
  }
  std::error_code error;
  const fs::path path = path_of(key);
  const std::uintmax_t size = fs::file_size(path, error);
  Header header;
  std::ifstream file(path, std::ios::binary);
  if (error || !file.read(reinterpret_cast<char*>(&header), sizeof header) ||
      std::memcmp(header.magic, kMagic, sizeof kMagic) != 0 || header.key_size != key.size() ||
      header.module_size != size - sizeof header - key.size()) {
    return std::nullopt;
  }
  std::string found(key.size(), '\0');
  std::vector<std::byte> module(header.module_size);
  file.read(found.data(), static_cast<std::streamsize>(found.size()));
  file.read(reinterpret_cast<char*>(module.data()), static_cast<std::streamsize>(module.size()));
  if (!file || found != key || hash_of(module) != header.module_hash) {
    return std::nullopt;
  }
  fs::last_write_time(path, fs::file_time_type::clock::now(), error);  // it is in use
  return module;
}

void ModuleCache::keep(const std::string& key, std::span<const std::byte> module) const {
  if (folder_.empty()) {
    return;
  }
  std::error_code error;
  fs::create_directories(folder_, error);
  const fs::path path = path_of(key);
  fs::path unfinished = path;
  unfinished += "." + std::to_string(getpid()) + "." +
                std::to_string(reinterpret_cast<std::uintptr_t>(module.data()));
  Header header{{}, key.size(), module.size(), hash_of(module)};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  std::ofstream file(unfinished, std::ios::binary);
  file.write(reinterpret_cast<const char*>(&header), sizeof header);
  file.write(key.data(), static_cast<std::streamsize>(key.size()));
  file.write(reinterpret_cast<const char*>(module.data()),
             static_cast<std::streamsize>(module.size()));
  file.close();
  if (file) {
    fs::rename(unfinished, path, error);
  }
  if (!file || error) {  // a full disk, a folder that must not be written
    fs::remove(unfinished, error);
    return;
  }
  make_room();
}

void ModuleCache::make_room() const {
  struct Kept {
    fs::path path;
    fs::file_time_type time;
    std::uintmax_t size;
  };
  std::vector<Kept> all;
  std::uintmax_t total = 0;
  std::error_code error;
  for (fs::directory_iterator entry(folder_, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code gone;  // by another process
    const Kept kept{entry->path(), entry->last_write_time(gone), entry->file_size(gone)};
    if (!gone) {
      total += kept.size;
      all.push_back(kept);
    }
  }
  if (total <= kMostBytes) {
    return;
  }
  std::ranges::sort(all, {}, &Kept::time);
  for (const Kept& kept : all) {
    if (total <= kMostBytes / 2) {
      return;
    }
    fs::remove(kept.path, error);
    total -= kept.size;
  }
}

std::string program_identity(const std::string& command) {
  std::vector<fs::path> candidates{command};
  if (command.find('/') == std::string::npos) {
    candidates.clear();
    const char* search = std::getenv("PATH");
    std::istringstream folders(search != nullptr ? search : "");
    for (std::string folder; std::getline(folders, folder, ':');) {
      candidates.push_back(fs::path(folder) / command);
    }
  }
  for (const fs::path& candidate : candidates) {
    std::error_code error;
    const fs::path path = fs::canonical(candidate, error);
    if (error || access(path.c_str(), X_OK) != 0) {
      continue;
    }
    const std::uintmax_t size = fs::file_size(path, error);
    const auto time = fs::last_write_time(path, error);
    if (!error) {
      return path.string() + ' ' + std::to_string(size) + ' ' +
             std::to_string(time.time_since_epoch().count());
    }
  }
  return {};
}

}  // namespace xesim::driver
