import MarkdownIt from "markdown-it";

const reader = new MarkdownIt({ html: true });

/**
 * Markdown as a reader shows it: its text, the numbers of its lists, its headings, how many items of lists and tables it
 * has, and what in it is of no kind that is promised.
 */
export function read(markdown) {
    const text = [];
    const numbers = [];
    const headings = [];
    const foreign = [];
    const count = { list_item_open: 0, table_open: 0 };
    const visit = (tokens) => {
        for (const token of tokens) {
            if (token.type.startsWith("html_") || token.type === "image") foreign.push(token.content);
            if (token.type in count) count[token.type]++;
            if (token.type === "heading_open") headings.push(tokens[tokens.indexOf(token) + 1].content);
            if (token.type === "list_item_open" && token.info) {
                text.push(`${token.info}${token.markup} `);
                numbers.push(token.info);
            }
            if (token.type === "inline") visit(token.children);
            else if (["softbreak", "hardbreak"].includes(token.type) || token.block) text.push("\n");
            if (["text", "code_inline", "fence", "code_block", "html_inline", "html_block", "text_special"].includes(token.type)) {
                text.push(token.content);
            }
            if (token.type.endsWith("_close") && token.block) text.push("\n");
        }
    };
    visit(reader.parse(markdown, {}));
    return { text: text.join(""), numbers, headings, items: count.list_item_open, tables: count.table_open, foreign };
}

const alone = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}";
const word = new RegExp(`[${alone}]|(?![${alone}])[\\p{L}\\p{N}](?:(?![${alone}])[\\p{L}\\p{N}\\p{M}])*`, "gu");

/** What stands before a raised or a lowered letter or digit; characters within words that nobody sees. */
const unseen = /(?<=[\p{L}\p{N}])[\^_](?=[\p{L}\p{N}])|[\u00ad\u034f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/** Runs of letters and digits, without case; each character of the scripts that set no spaces is one. */
export function words(text) {
    return text.toUpperCase().normalize("NFC").replace(unseen, "").match(word) ?? [];
}

/** Runs without white space, as they are. */
export function runs(text) {
    return text.toUpperCase().replace(unseen, "").split(/\s+/u).filter(Boolean);
}

/** Which of the first words are in the second list, in this order: as many as can be. */
export function inOrder(first, second) {
    const width = second.length + 1;
    const longest = new Uint16Array((first.length + 1) * width);
    for (let i = first.length - 1; i >= 0; i--) {
        for (let j = second.length - 1; j >= 0; j--) {
            longest[i * width + j] = first[i] === second[j] ? longest[(i + 1) * width + j + 1] + 1
                : Math.max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
        }
    }
    const missing = [];
    const extra = [];
    let [i, j] = [0, 0];
    while (i < first.length && j < second.length) {
        if (first[i] === second[j]) [i, j] = [i + 1, j + 1];
        else if (longest[(i + 1) * width + j] >= longest[i * width + j + 1]) missing.push(first[i++]);
        else extra.push(second[j++]);
    }
    return { common: longest[0], missing: missing.concat(first.slice(i)), extra: extra.concat(second.slice(j)) };
}

/** A list without some words, each taken out as often as it is among them. */
export function without(list, others) {
    const left = new Map();
    for (const word of others) left.set(word, (left.get(word) ?? 0) + 1);
    return list.filter((word) => {
        const count = left.get(word) ?? 0;
        left.set(word, count - 1);
        return count <= 0;
    });
}
