// Values of Boost's types, for printers of them.
#include <boost/array.hpp>
#include <boost/container/flat_map.hpp>
#include <boost/container/flat_set.hpp>
#include <boost/date_time/gregorian/gregorian.hpp>
#include <boost/date_time/posix_time/posix_time.hpp>
#include <boost/logic/tribool.hpp>
#include <boost/optional.hpp>
#include <boost/range/iterator_range.hpp>
#include <boost/shared_ptr.hpp>
#include <boost/variant.hpp>

boost::array<int, 3> array = {{1, 2, 3}};
boost::optional<int> some = 42, none;
boost::variant<int, double> number = 2.5;
boost::container::flat_set<int> set = {3, 1, 2};
boost::container::flat_map<int, double> map = {{1, 1.5}, {2, 2.5}};
boost::gregorian::date day(2026, 11, 23);
boost::posix_time::ptime moment(day, boost::posix_time::seconds(3661));
boost::tribool yes = true, maybe = boost::indeterminate;
boost::shared_ptr<int> shared(new int(8)), empty;
boost::iterator_range<int *> range(array.begin(), array.end());

int stop() { return 0; }
int main() {
  return stop() + array[0];
}
