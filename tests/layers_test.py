"""layers.py finds what it is for: each case is a small tree and the complaints it must give."""
import pathlib
import tempfile
import unittest

import layers

LAYERS = "# rooms\nbase:\nfleet: base\nstore: base fleet\n"


class Layers(unittest.TestCase):
    def complaints(self, files, listed=LAYERS):
        with tempfile.TemporaryDirectory() as folder:
            top = pathlib.Path(folder)
            for name, text in {"layers.txt": listed, **files}.items():
                path = top / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return layers.check(top)

    def test_allows_itself_the_rooms_above_and_the_face(self):
        self.assertEqual(self.complaints({
            "src/store/memory.cc":
                '#include "store/memory.h"\n\n#include <vector>\n\n#include "base/text.h"\n'
                '#include "berth/store.h"\n#include "fleet/validate.h"\n',
            "include/berth/store.h": '#include "berth/time.h"\n'}), [])

    def test_refuses_a_room_below_and_says_where(self):
        self.assertEqual(
            self.complaints({"src/fleet/a.cc": '#include "fleet/a.h"\n#include "store/b.h"\n'}),
            ["src/fleet/a.cc:2: fleet may not include store"])

    def test_sees_includes_however_they_are_spaced(self):
        self.assertEqual(self.complaints({"src/base/a.h": '  #  include "fleet/b.h"\n'}),
                         ["src/base/a.h:1: base may not include fleet"])

    def test_refuses_a_room_nobody_listed(self):
        self.assertEqual(
            self.complaints({"src/utils/a.cc": "",
                             "src/base/a.cc": '#include "yaml-cpp/yaml.h"\n'}),
            ['src/base/a.cc:1: "yaml-cpp/yaml.h": yaml-cpp is not a room in layers.txt',
             "src/utils/a.cc:1: utils is not a room in layers.txt"])

    def test_refuses_a_source_outside_the_rooms(self):
        self.assertEqual(self.complaints({"src/stray.cc": ""}),
                         ["src/stray.cc:1: stray.cc is not a room in layers.txt"])

    def test_refuses_an_include_without_its_room(self):
        self.assertEqual(self.complaints({"src/base/a.cc": '#include "a.h"\n'}),
                         ['src/base/a.cc:1: include "a.h" by its room: "base/..."'])

    def test_what_proto_generates_is_for_every_room_but_not_for_the_face(self):
        include = '#include "api.pb.h"\n#include "api.grpc.pb.h"\n#include "other.pb.h"\n'
        self.assertEqual(
            self.complaints({"proto/api.proto": "", "src/base/a.cc": include,
                             "include/berth/a.h": '#include "api.pb.h"\n'}),
            ['include/berth/a.h:1: include "api.pb.h" by its room: "berth/..."',
             'src/base/a.cc:3: include "other.pb.h" by its room: "base/..."'])

    def test_the_face_includes_only_itself(self):
        self.assertEqual(self.complaints({"include/berth/a.h": '#include "base/b.h"\n'}),
                         ["include/berth/a.h:1: the library's face may not include base"])

    def test_helpers_of_tests_are_for_tests(self):
        include = '#include "support/paths.h"\n'
        self.assertEqual(
            self.complaints({"src/base/a_test.cc": include, "src/base/b.cc": include}),
            ['src/base/b.cc:1: "support/paths.h": support is not a room in layers.txt'])

    def test_checks_the_list_too(self):
        self.assertEqual(self.complaints({}, "base: fleet\nfleet: base\nfleet:\n"),
                         ["layers.txt:1: base names fleet, which is not a room above it",
                          "layers.txt:3: fleet is listed twice"])


if __name__ == "__main__":
    unittest.main()
