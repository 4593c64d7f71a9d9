// What the product estimates for each text, beside the counts of two public vocabularies.
import { execFileSync } from "node:child_process";
import { countTokens as countClaude } from "@anthropic-ai/tokenizer";
import { countTokens as countO200k } from "gpt-tokenizer/encoding/o200k_base";
import { texts } from "./texts.js";

const [java, path] = process.argv.slice(2);
const input = texts.map(({ text }) => text).join("\0");
const answer = execFileSync(java, ["-cp", path, "Tokens"], { input, encoding: "utf8" });
const estimates = answer.trim().split("\n").map(Number);

const languages = new Map();
const total = { texts: 0, estimate: 0, o200k: 0, claude: 0, within: 0 };
for (const [i, { language, form, text }] of texts.entries()) {
  const o200k = countO200k(text);
  const claude = countClaude(text);
  const [low, high] = [0.85 * Math.min(o200k, claude), 1.15 * Math.max(o200k, claude)];
  const within = estimates[i] >= low && estimates[i] <= high;
  if (!within) console.log(`outside: ${language} ${form}: ${estimates[i]}, o200k_base ${o200k}, Anthropic ${claude}`);
  if (!languages.has(language)) languages.set(language, { texts: 0, estimate: 0, o200k: 0, claude: 0, within: 0 });
  for (const sum of [languages.get(language), total]) {
    sum.texts += 1;
    sum.estimate += estimates[i];
    sum.o200k += o200k;
    sum.claude += claude;
    sum.within += within ? 1 : 0;
  }
}
for (const [name, sum] of [...languages, ["all", total]]) {
  console.log(
    `${name.padEnd(4)} ${String(sum.within).padStart(3)} of ${String(sum.texts).padStart(3)} within;` +
      ` estimate ${sum.estimate}, o200k_base ${sum.o200k}, Anthropic ${sum.claude}`,
  );
}
const faults = [];
if (estimates.length !== texts.length) faults.push("not every text has an estimate");
if (texts.length < 100 || languages.size < 10) faults.push("fewer than 100 texts or ten languages");
if (total.within < 0.95 * total.texts) faults.push("fewer than 95 of 100 are within");
for (const fault of faults) console.log(`FAILED: ${fault}`);
console.log(`${3 - faults.length} passed, ${faults.length} failed`);
process.exit(faults.length > 0 ? 1 : 0);
