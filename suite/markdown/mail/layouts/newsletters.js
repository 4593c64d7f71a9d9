import { button, columns, footer, header, heading, paragraph, picture, row, spacer, textStyle } from "../blocks.js";
import { newsletter, notice } from "../frames.js";
import { hiding, showing } from "../hiding.js";

const article = (w) => picture(w, w.chance(0.4) ? w.title() : "", 240) + heading(w, w.title(), 3) + paragraph(w, w.paragraph(2))
    + `<p style="${textStyle(w, 14)}"><a href="${w.link()}" style="color:#0b5cad;font-weight:bold;text-decoration:none">${w.label("readMore")} &rarr;</a></p>`;

const product = (w) => `<a href="${w.link()}">${picture(w, w.chance(0.6) ? w.product() : "", 160)}</a>
<p style="${textStyle(w, 14)}"><b>${w.product()}</b></p>
<p style="${textStyle(w, 14)}"><span style="text-decoration:line-through;color:#999999">${w.price()}</span> <span style="color:#b3261e;font-weight:bold">${w.price(60)}</span></p>${button(w, w.label("buy"))}`;

export const newsletters = {
    "newsletter-articles": (w) => newsletter(w, [
        header(w), row(w, heading(w, w.title(), 1) + paragraph(w)),
        ...w.times(w.number(2, 4), () => row(w, columns(w, [article(w), article(w)])) + spacer(w)), footer(w)]),

    "newsletter-three-columns": (w) => newsletter(w, [
        header(w), row(w, picture(w)), row(w, heading(w, w.title(), 1)),
        row(w, columns(w, w.times(3, () => picture(w, "", 150) + paragraph(w, w.say())))), spacer(w),
        row(w, columns(w, w.times(3, () => heading(w, w.title(), 3) + paragraph(w, w.say()) + button(w, w.label("readMore"))))),
        footer(w)]),

    "newsletter-digest": (w) => newsletter(w, [
        header(w),
        ...w.times(w.number(5, 8), (i) => row(w, `<table width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td width="40" valign="top" style="${textStyle(w, 24, "#bbbbbb")}">${i + 1}</td><td valign="top"><a href="${w.link()}" style="${textStyle(w, 17, "#111111")}font-weight:600;text-decoration:none">${w.title()}</a><div style="${textStyle(w, 13, "#777777")}">${w.person()} &middot; ${w.date("medium")} &middot; <span style="white-space:nowrap">${w.number(2, 14)} min</span></div><div style="${textStyle(w, 15)}">${w.say()}</div></td></tr></table>`)),
        footer(w)]),

    "newsletter-essay": (w) => newsletter(w, [row(w, `
<h1 style="${textStyle(w, 30)}font-weight:bold"><a href="${w.link()}" style="color:#363737;text-decoration:none">${w.title()}</a></h1>
<h3 style="${textStyle(w, 18, "#868787")}">${w.say()}</h3>
<table role="presentation" width="auto" border="0"><tr><td style="padding-right:8px"><img src="${w.picture()}" alt="" width="36" height="36" style="border-radius:50%"></td><td><div style="${textStyle(w, 11)}text-transform:uppercase"><a href="${w.link()}">${w.person()}</a></div><div style="${textStyle(w, 11)}"><time datetime="2026-03-01">${w.date()}</time></div></td></tr></table>
${w.times(4, () => `<p style="${textStyle(w, 18)}margin:0 0 20px">${w.paragraph()} <em>${w.say()}</em> ${w.say()}</p>`).join("\n")}
<blockquote style="margin:20px 0;padding:0 0 0 16px;border-left:4px solid #cc5500"><p style="${textStyle(w, 18)}">${w.paragraph(2)}</p></blockquote>
<h2 style="${textStyle(w, 24)}font-weight:bold">${w.title()}</h2>
<p style="${textStyle(w, 18)}">${w.say()} <strong>${w.say()}</strong><a href="#footnote-1" style="color:#cc5500;text-decoration:none"><sup>1</sup></a> ${w.paragraph(3)}</p>
<div style="text-align:center"><figure style="margin:0"><a href="${w.picture()}">${picture(w)}</a><figcaption style="${textStyle(w, 13, "#777777")}">${w.say()}</figcaption></figure></div>
<ul style="margin:0;padding:0">${w.times(3, () => `<li style="margin:8px 0 0 32px"><p style="${textStyle(w, 18)}">${w.say()}</p></li>`).join("")}</ul>
<hr style="margin:32px 0;padding:0;height:1px;background:#e6e6e6;border:none"><p style="${textStyle(w, 18)}"><i>${w.bye()}</i><br/>${w.person()}</p>
<div><table role="presentation" width="100%"><tr><td><a id="footnote-1" href="#a" style="min-width:32px">1</a></td><td><p style="${textStyle(w, 16)}">${w.say()}</p></td></tr></table></div>`), footer(w)]),

    "newsletter-developers": (w) => newsletter(w, [header(w), row(w, `
<h1>${w.title()}</h1><p>${w.say()} <code style="background:#f2f2f2;font-family:Menlo,monospace">npm i @${w.word(5)}/${w.word(4)}@${w.number(2, 9)}.0</code> ${w.say()}</p>
<pre style="background:#f6f8fa;padding:12px;overflow:auto;font:13px/1.45 Consolas,monospace"><code><span style="color:#cf222e">const</span> <span style="color:#0550ae">total</span> = items
    .filter((item) =&gt; item.price &gt; ${w.number(2, 90)} &amp;&amp; !item.sold)
    .map((item) =&gt; \`\${item.name}_*\${item.price}*\`);

<span style="color:#6e7781">// ${w.word(8)} # not a heading</span>
if (total[0] &lt; 1) {
\treturn "&lt;b&gt;${w.word(4)}&lt;/b&gt;";
}
</code></pre><h2>${w.title()}</h2><ol><li>${w.say()}</li><li>${w.say()} <kbd>Ctrl</kbd>+<kbd>K</kbd><ul><li>${w.say()}</li><li><tt>--max_old_space=${w.number(1, 9)}</tt></li></ul></li><li>${w.say()}</li></ol>
<p><a href="${w.link()}"><code>${w.word(6)}.${w.word(5)}()</code></a> ${w.say()}</p>`), row(w, button(w, w.label("readMore"))), footer(w)]),

    "newsletter-interview": (w) => newsletter(w, [header(w), row(w, picture(w) + heading(w, w.title(), 1)),
        ...w.times(w.number(3, 5), () => row(w, `<p style="${textStyle(w)}"><strong>${w.ask()}</strong></p>${paragraph(w)}${w.chance(0.4) ? paragraph(w) : ""}`)),
        row(w, `<p style="${textStyle(w, 13, "#777777")}"><i>${w.say()}</i></p>`), footer(w)]),

    "newsletter-hiding": (w) => hidingMail(w, newsletter),
    "notice-hiding": (w) => hidingMail(w, notice),

    "newsletter-dark": (w) => {
        const scheme = `@media (prefers-color-scheme: dark){.only-dark{display:block !important;max-height:none !important;overflow:visible !important}.only-light{display:none !important}h1,p{color:#eeeeee !important}}
@media screen and (max-width:599px){.phone{display:block!important;max-height:none!important}.desk{display:none!important}}`;
        return newsletter(w, [header(w),
            row(w, `<div class="only-light">${paragraph(w)}</div><div class="only-dark" style="display:none;mso-hide:all;max-height:0;overflow:hidden"><p>${w.hidden(6)}</p></div>`),
            row(w, `<div class="desk">${columns(w, [article(w), article(w)])}</div><!--[if !mso]><!--><div class="phone" style="display:none;max-height:0px;overflow:hidden;font-size:0;line-height:0"><h2>${w.hidden(4)}</h2><p>${w.hidden(9)}</p></div><!--<![endif]-->`),
            `<tr class="phone" style="display:none"><td>${w.hidden(5)}</td></tr>`,
            row(w, paragraph(w)), footer(w)], scheme);
    },

    "marketing-sale": (w) => newsletter(w, [header(w),
        `<tr><td bgcolor="#b3261e" align="center" style="background:#b3261e;padding:32px"><h1 style="${textStyle(w, 36, "#ffffff")}text-align:center">-${w.number(2, 6)}0 %</h1><p style="${textStyle(w, 18, "#ffffff")}text-align:center">${w.title()}</p></td></tr>`,
        ...w.times(w.number(2, 3), () => row(w, columns(w, w.times(w.number(2, 3), () => product(w))))), spacer(w),
        row(w, `<p style="${textStyle(w)}text-align:center">${w.label("code")}: <span style="border:1px dashed #999;padding:6px 10px;font-family:monospace;font-weight:bold">${w.word(5).toUpperCase()}${w.number(10, 99)}</span></p>`),
        row(w, `<small style="${textStyle(w, 11, "#999999")}">* ${w.paragraph(2)}</small>`), footer(w)]),

    "marketing-hero": (w) => newsletter(w, [header(w),
        `<tr><td background="${w.picture()}" bgcolor="#20303f" valign="middle" style="background-image:url('${w.picture()}');background-size:cover;background-position:center;padding:64px 32px"><!--[if gte mso 9]><v:rect xmlns:v="urn:schemas-microsoft-com:vml" fill="true" stroke="false" style="width:600px;height:320px;"><v:fill type="frame" src="${w.picture()}" color="#20303f" /><v:textbox inset="0,0,0,0"><![endif]--><div><h1 style="${textStyle(w, 40, "#ffffff")}">${w.title()}</h1><p style="${textStyle(w, 18, "#ffffff")}">${w.say()}</p>${button(w, w.label("buy"))}</div><!--[if gte mso 9]></v:textbox></v:rect><![endif]--></td></tr>`,
        row(w, columns(w, w.times(2, () => `<table cellpadding="0" cellspacing="0" width="100%"><tr><td align="center" style="font-size:28px">${w.pick("🚲", "🌿", "☕", "📦", "🎧", "👩‍🌾")}</td></tr><tr><td align="center" style="${textStyle(w, 16)}"><strong>${w.title()}</strong></td></tr><tr><td align="center" style="${textStyle(w, 14)}">${w.say()}</td></tr></table>`))),
        row(w, button(w, w.label("readMore"))), footer(w)]),

    "marketing-survey": (w) => newsletter(w, [header(w), row(w, heading(w, w.ask(), 2) + paragraph(w, w.say())),
        row(w, `<table role="presentation" cellpadding="0" cellspacing="4" border="0"><tr>${w.times(11, (i) => `<td align="center" bgcolor="#eeeeee" style="border-radius:3px"><a href="${w.link(`rate/${i}`)}" style="display:inline-block;padding:8px 10px;color:#333;text-decoration:none">${i}</a></td>`).join("")}</tr><tr><td colspan="5" align="left" style="${textStyle(w, 11)}">${w.label("no")}</td><td></td><td colspan="5" align="right" style="${textStyle(w, 11)}">${w.label("yes")}</td></tr></table>`),
        row(w, `<form action="https://www.${w.host}/answer" method="post"><label for="a">${w.ask()}</label><br><textarea id="a" name="a" rows="3"></textarea><br><label><input type="checkbox" name="b"> ${w.say()}</label><br><input type="hidden" name="t" value="${w.hidden(1)}"><button type="submit" style="padding:8px">${w.label("reply")}</button></form>`),
        row(w, paragraph(w)), footer(w)]),

    "marketing-cart": (w) => newsletter(w, [header(w), row(w, heading(w, w.title(), 1) + `<p>${w.greet(w.person())}</p>` + paragraph(w)),
        ...w.times(w.number(2, 4), () => row(w, `<table width="100%" cellpadding="0" cellspacing="0" border="0" role="presentation"><tr><td width="96">${picture(w, "", 80)}</td><td style="${textStyle(w)}"><a href="${w.link()}" style="color:#111;text-decoration:none">${w.product()}</a><br><span style="color:#777;font-size:13px">${w.label("quantity")}: ${w.number(1, 4)}</span></td><td align="right" style="${textStyle(w)}white-space:nowrap">${w.chance(0.4) ? `<del>${w.price()}</del><br>` : ""}${w.price()}</td></tr></table>`)),
        row(w, button(w, w.label("buy"))), footer(w)]),

    "appeal-letter": (w) => newsletter(w, [header(w), row(w, `<p>${w.greet(w.person())}</p>${w.times(4, () => paragraph(w)).join("")}<p><b><u>${w.say()}</u></b></p>${button(w, w.label("confirm"))}<p>${w.bye()}</p><img src="${w.picture("signature")}" alt="${w.person()}" width="180" height="60"><p>${w.person()}<br/>${w.firm}</p><p><strong>P.S.</strong> ${w.say()}</p>`), footer(w)]),

    "jobs-alert": (w) => newsletter(w, [header(w), row(w, `<h2>${w.number(4, 40)} · ${w.title()}</h2>`),
        ...w.times(w.number(4, 7), () => row(w, `<a href="${w.link("jobs/" + w.number(1000, 9999))}" style="text-decoration:none;color:inherit;display:block"><table width="100%" role="presentation"><tr><td width="56"><img src="${w.picture()}" alt="${w.firm}" width="48" height="48"></td><td><h3 style="margin:0;${textStyle(w, 16)}">${w.title()}</h3><div style="${textStyle(w, 14)}">${w.firm}</div><div style="${textStyle(w, 12, "#777777")}">${w.place()} &#183; ${w.price(90)}&ndash;${w.price(99)}</div></td></tr></table></a>`)), footer(w)]),
};

/** Several ways of hiding, and of almost hiding, between paragraphs that are seen. */
function hidingMail(w, frame) {
    const sheets = [];
    const put = (way, words) => {
        const made = way(w, words);
        sheets.push(made.sheet ?? "");
        return made.html;
    };
    const all = Object.values(hiding);
    const start = w.number(0, all.length - 1);
    const parts = w.times(14, (i) => paragraph(w, w.say()) + put(all[(start + i * 5) % all.length], w.hidden())
        + (w.chance(0.6) ? put(w.pick(...Object.values(showing)), w.say()) : ""));
    const rows = frame === newsletter ? [header(w), ...parts.map((part) => row(w, part)), footer(w)] : parts;
    return frame(w, rows, sheets.join("\n"));
}

