import { createHash } from "node:crypto";
import { newsletters } from "./layouts/newsletters.js";
import { office } from "./layouts/office.js";
import { orders } from "./layouts/orders.js";
import { people } from "./layouts/people.js";
import { social } from "./layouts/social.js";
import { structures } from "./layouts/structures.js";
import { travel } from "./layouts/travel.js";
import { work } from "./layouts/work.js";
import { languages } from "./wording/languages.js";
import { planted, Wording } from "./wording.js";

const layouts = { ...newsletters, ...orders, ...travel, ...work, ...social, ...people, ...office, ...structures };
/** Languages that each layout is written in; over all layouts, each language comes as often. */
const wordings = 6;
/** HTML of fewer octets is a letter: its words are most of it, and nothing is to be gained. */
const heavy = 12_000;

/**
 * The mails of the suite: their names, HTML, whether layout weighs in them, and whether they are of the half that is
 * not looked at while rules are written. The same each time.
 */
export function mails() {
    return Object.entries(layouts).flatMap(([layout, make], at) =>
        Array.from({ length: wordings }, (_, i) => {
            const language = languages[(at * 5 + i * 2 + (at % 2) + (i > 2 ? 1 : 0)) % languages.length];
            const name = `${layout}-${language.tag}`;
            const html = make(new Wording(name, language));
            return { name, layout, html, weighs: isHeavy(html), held: isHeld(name) };
        }));
}

function isHeld(name) {
    return createHash("sha256").update(name).digest()[0] % 2 === 1;
}

function isHeavy(html) {
    return Buffer.byteLength(html) >= heavy;
}

/** Whether a word was planted as hidden. */
export function isPlanted(word) {
    return word.includes(planted);
}
