// Values that libstdc++'s printers show.
#include <array>
#include <bitset>
#include <complex>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

struct Point { int x; float y; };
std::vector<int> integers{1, 2, 3}, nothing;
std::vector<bool> bits{true, false, true};
std::vector<Point> points{{1, 2.5f}, {3, 4.5f}};
std::string brief = "hello", longer = "a text that is too long for the buffer inside of a string";
std::map<int, std::string> names{{1, "one"}, {2, "two"}};
std::map<std::string, std::vector<int>> lists{{"a", {1, 2}}};
std::set<int> set{5, 1, 3};
std::list<int> list{7, 8};
std::deque<int> deque{1, 2, 3, 4};
std::unordered_map<int, int> hashed{{1, 10}};
std::unique_ptr<int> unique(new int(5));
std::shared_ptr<Point> shared = std::make_shared<Point>(Point{1, 2});
std::optional<int> some = 4, none;
std::variant<int, float> variant = 2.5f;
std::tuple<int, char, double> tuple{1, 'a', 2.5};
std::array<int, 3> array{1, 2, 3};
std::bitset<8> bitset{0xa5};
std::complex<float> number{1, 2};
std::pair<int, std::string> pair{3, "three"};
std::vector<std::vector<int>> nested{{1}, {2, 3}};

int stop() { return 0; }
int main() { return stop() + int(integers.size() + bits.size()); }
