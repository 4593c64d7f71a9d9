"""Counts checks and prints a line for each."""

import traceback


class Report:
    def __init__(self, everything):
        self.everything = everything
        self.passed = self.failed = 0
        self.heading = ""

    def run(self, section, case, server):
        """One kind of case; what it throws is one failed check."""
        self.heading = f"{section}: {(case.__doc__ or case.__name__).strip().splitlines()[0].rstrip('.')}"
        try:
            case(self, server)
        except Exception as failure:
            place = traceback.extract_tb(failure.__traceback__)[-1]
            self.check("runs to its end", False, f"{failure!r} in {place.name}, line {place.lineno}")

    def check(self, claim, holds, shown=""):
        if holds:
            self.passed += 1
        else:
            self.failed += 1
        print(f"{'ok   ' if holds else 'FAIL '} {self.heading}: {claim}{'' if holds else f' -- {str(shown)[:1500]}'}",
              flush=True)

    def some(self, cases):
        """The first case of a kind, or all of them in the long form."""
        cases = list(cases)
        return cases if self.everything else cases[:1]
