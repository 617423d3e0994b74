"""Tenants rehearsed, as a user types it.

    BERTH_BINARY_DIR=build/dev python3 -m unittest -v tests/cli/tenants_test.py
"""
import json
import unittest

from program import OK, REFUSED, berth


class SimulateTenants(unittest.TestCase):
    SMALL = ("simulate", "tenants", "--population", "region-2", "--hours", "4", "--repetitions",
             "2", "--nodes", "10", "--library", "300", "--technique", "best_fit_max,annealing")

    def printed(self, *more):
        done = berth(*self.SMALL, "--tenants", "300", *more)
        self.assertEqual(done.returncode, OK, done.stderr)
        return done.stdout

    def test_domains_tell_nodes_apart_whatever_the_workers(self):
        in_domains = self.printed("--domains", "5x10", "--workers", "1", "--json")
        self.assertEqual(self.printed("--domains", "5x10", "--workers", "3", "--json"), in_domains)
        facts = {fact["name"]: fact for fact in json.loads(in_domains)["runs"][0]["facts"]}
        self.assertIn("on 10 nodes in 5 fault and 10 update domains", facts["Runs"]["note"])
        self.assertNotIn("domains", self.printed())

    def test_domains_that_are_none_are_refused(self):
        def message(*more):
            done = berth(*self.SMALL, *more)
            self.assertEqual(done.returncode, REFUSED, done.stdout)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            return done.stderr
        for wrong in ("5", "5x", "x5", "5x5x5", "5by10", "-5x10", "5.5x10", "3x10", "5x3", "5x11",
                      "11x5", "0x0", "", "99999999999999999999x5"):
            with self.subTest(domains=wrong):
                self.assertEqual(message("--domains", wrong),
                                 "berth: --domains is fault by update domains, such as 5x10, each "
                                 "from 4 (the most replicas of a tenant) to 10 (the nodes), not "
                                 f"'{wrong}'\n")
        self.assertIn("of 1 tenant of region-2 none is a primary",
                      message("--domains", "5x10", "--tenants", "1", "--seed", "6"))


if __name__ == "__main__":
    unittest.main()
