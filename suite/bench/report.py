"""Tables that read well as plain text and are Markdown."""


class Report:
    def __init__(self, out):
        self.out = out
        self.lines = []

    def say(self, line=""):
        print(line, flush=True)
        self.lines.append(line)

    def heading(self, text):
        self.say()
        self.say("## " + text)
        self.say()

    def table(self, head, rows):
        rows = [[str(cell) for cell in row] for row in rows]
        widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
        for number, row in enumerate([head, *rows]):
            self.say("| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |")
            if number == 0:
                self.say("|" + "|".join("-" * (width + 2) for width in widths) + "|")

    def write(self):
        if self.out:
            with open(self.out, "w") as file:
                file.write("\n".join(self.lines).strip() + "\n")


def times(value, other):
    return f"{value / other:.2f}" if other else "-"
