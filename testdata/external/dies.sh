#!/bin/sh
# A recommender that ends after three windows of each life.
read -r line && echo '{"berth": 1}'
for _ in 1 2 3 4; do
  read -r line || exit 0
  id=${line#*\"id\":}
  id=${id%%,*}
  case $line in
    *start*) echo "{\"id\": $id}" ;;
    *) echo "{\"id\": $id, \"target\": 1000, \"why\": \"a thousand\"}" ;;
  esac
done
exit 3
