// Mail in many languages: the sentences of words.json, in the forms in which mail comes.
import { readFileSync } from "node:fs";

const words = JSON.parse(readFileSync(new URL("words.json", import.meta.url), "utf8"));
const token = "eyJhbGciOiJIUzI1NiJ9a7Gk2Lw9Qx41ZpT8mVbN3sRc6";

function table(w, prices) {
  const rows = w.rows.map((row, i) => `| ${row} | ${i + 1} | ${prices[i]} |`);
  return [`| ${w.head.join(" | ")} |`, "| --- | --- | --- |", ...rows].join("\n");
}

const forms = {
  letter: (w) => [w.hello, w.paragraphs[0], w.bye],
  question: (w) => [w.hello, w.paragraphs[2], w.bye],
  long: (w) => [w.hello, ...w.paragraphs, w.bye],
  list: (w) => [`# ${w.subject}`, w.paragraphs[1], w.items.map((item) => `- ${item}`).join("\n")],
  table: (w) => [w.paragraphs[3], table(w, ["249,00", "1 180,50", "35,00"]), w.bye],
  links: (w) => [
    w.paragraphs[0],
    `[${w.links[0]}](https://reports.workshop.example/2026/11/overview?page=2)`,
    w.paragraphs[1],
    `[${w.links[1]}](https://workshop.example/messages/off)`,
  ],
  newsletter: (w) => [
    `# ${w.subject}`,
    `**${w.items[0]}**`,
    w.paragraphs[3],
    `[${w.links[0]}](https://news.workshop.example/articles/how-we-polish-old-oak-tables)`,
    `## ${w.rows[1]}`,
    w.paragraphs[1],
    `[${w.links[1]}](https://news.workshop.example/u?id=${token})`,
  ],
  reply: (w) => [w.paragraphs[2], `> ${w.paragraphs[1]}\n>\n> ${w.bye.replaceAll("\n", "\n> ")}`],
  receipt: (w) => [
    `# ${w.subject}`,
    `${w.rows[0]}: **249,00 EUR** (2026-11-27, 14:05)`,
    table(w, ["249.00", "1,180.50", "35.00"]),
    w.items.map((item, i) => `${i + 1}. ${item}`).join("\n"),
    "<https://shop.workshop.example/orders/8841-2290-17>",
  ],
  code: (w) => [w.hello, w.code, "**482913**", `[${w.links[0]}](https://id.workshop.example/v?t=${token})`, w.bye],
};

export const texts = Object.entries(words).flatMap(([language, w]) =>
  Object.entries(forms).map(([form, write]) => ({ language, form, text: write(w).join("\n\n") })),
);
