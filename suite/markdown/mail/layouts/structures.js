import { button, columns, footer, header, heading, paragraph, picture, row, textStyle } from "../blocks.js";
import { bare, newsletter, notice, word } from "../frames.js";

const headerLines = (w) => `<b>${w.label("from")}:</b> ${w.person()} &lt;${w.address()}&gt;<br><b>${w.label("sent")}:</b> ${w.date("full")} ${w.time()}<br><b>${w.label("to")}:</b> ${w.person()} &lt;<a href="mailto:${w.address()}">${w.address("t")}</a>&gt;<br><b>${w.label("cc")}:</b> ${w.person()}; ${w.person()}<br><b>${w.label("subject")}:</b> RE: ${w.title()}`;

/** Letters and marks as references, as several programs write them. */
function referenced(text) {
    const names = { "’": "&rsquo;", "–": "&ndash;", "é": "&eacute;", "ü": "&#252;", "ö": "&#xF6;", "„": "&bdquo;", "“": "&ldquo;", "\"": "&quot;" };
    return text.replace(/[’–éüö„“"]/g, (letter) => names[letter]);
}

export const structures = {
    "preformatted-mail": (w) => bare(w, [`<pre style="white-space: pre-wrap; font-family: inherit">${w.greet(w.person())}

${w.say()}
${w.say()}

  * ${w.say()}
  * ${w.say()}

${w.label("total").padEnd(14)} ${w.price()}
${w.label("date").padEnd(14)} ${w.date("medium")}

${w.bye()}
${w.person()}
</pre>`]),

    "lines-kept": (w) => `<div style="white-space:pre-wrap">${w.greet(w.person())}\n\n${w.say()}\n${w.ask()}\n\n${w.bye()}\n${w.person()}</div><div><br></div><div style="white-space:pre-line">  ${w.say()}\n   ${w.say()}  </div>`,

    "references": (w) => notice(w, [`<p>${referenced(w.greet(w.person()))}</p>`, ...w.times(4, () => `<p>${referenced(w.paragraph(2))}&hellip; &laquo;&nbsp;${referenced(w.say())}&nbsp;&raquo;</p>`), `<p>&lt;b&gt;${w.say()}&lt;/b&gt; &amp;amp; &copy;2026&trade; 5&frac12; &euro;${w.number(1, 9)}&ndash;${w.number(10, 90)} &#128512; &#x1F469;&#x200D;&#x1F4BB; a&shy;b Auto&shy;bahn</p>`]),

    "cell-bullets": (w) => newsletter(w, [header(w), row(w, heading(w, w.title(), 2) + paragraph(w, w.say())),
        row(w, `<table role="presentation" border="0" cellpadding="0" cellspacing="0">${w.times(4, () => `<tr><td valign="top" style="${textStyle(w)}padding-right:8px">${w.pick("&bull;", "•", "&#8226;", "–", "✓")}</td><td valign="top" style="${textStyle(w)}">${w.say()}</td></tr>`).join("")}</table>`),
        row(w, `<p style="${textStyle(w)}">• ${w.say()}<br>• ${w.say()}<br>• ${w.say()}</p>`), row(w, button(w, w.label("readMore"))), footer(w)]),

    "agenda": (w) => notice(w, [`<h2>${w.title()}</h2>`, `<table border="1" cellspacing="0" cellpadding="6"><tr><th>${w.label("time")}</th><th>${w.label("description")}</th><th>${w.label("place")}</th></tr>${w.times(3, () => `<tr><td rowspan="2"><b>${w.time()}</b></td><td>${w.title()}</td><td>${w.place()}</td></tr><tr><td>${w.title()}<br><small>${w.person()}</small></td><td>${w.place()}</td></tr><tr><td colspan="3" align="center">${w.say()}</td></tr>`).join("\n")}</table>`, `<p>${w.ask()}</p>`]),

    "tiers": (w) => newsletter(w, [header(w), row(w, heading(w, w.title(), 1)),
        row(w, columns(w, w.times(3, () => `<div style="border:1px solid #dddddd;border-radius:8px;padding:12px;text-align:center"><h3 style="${textStyle(w, 18)}">${w.product()}</h3><p style="${textStyle(w, 30)}">${w.number(9, 99)}<sup style="font-size:14px">${w.pick(90, 95, 99)}</sup> <span style="font-size:12px">/ 12</span></p><ul style="text-align:left;padding-left:16px">${w.times(3, () => `<li style="${textStyle(w, 13)}">${w.title()}</li>`).join("")}</ul>${button(w, w.label("buy"))}</div>`))),
        row(w, `<table width="100%" border="1" cellpadding="6" style="border-collapse:collapse;text-align:center"><thead><tr><td></td>${w.times(3, (i) => `<th>${"ABC"[i]}</th>`).join("")}</tr></thead><tbody>${w.times(4, () => `<tr><th align="left">${w.title()}</th>${w.times(3, () => `<td>${w.pick("✓", "✗", w.number(1, 50))}</td>`).join("")}</tr>`).join("")}</tbody></table>`), footer(w)]),

    "grown-divs": (w) => notice(w, [`<div style="display:flex;gap:12px">${w.times(2, () => `<div style="flex:1"><div style="font-weight:700">${w.title()}</div><div>${w.say()}</div></div>`).join("")}</div>`,
        `<div style="display:table;width:100%">${w.times(3, () => `<div style="display:table-row"><div style="display:table-cell;padding:4px">${w.product()}</div><div style="display:table-cell;padding:4px;text-align:right">${w.price()}</div></div>`).join("")}</div>`,
        `<section><article><header><h3>${w.title()}</h3></header><p>${w.paragraph(2)}</p><footer>${w.person()}</footer></article></section>`,
        `<fieldset><legend>${w.label("account")}</legend><label>${w.label("customer")} <input value="${w.hidden(1)}"></label> <button>${w.label("reply")}</button></fieldset>`, `<details open><summary>${w.label("help")}</summary><p>${w.say()}</p></details>`]),

    "media": (w) => bare(w, [`<p>${w.say()}</p>`, `<picture><source media="(max-width:400px)" srcset="${w.picture()}"><img src="${w.picture()}" alt="${w.firm}" width="300"></picture>`, `<p>${w.say()} <wbr>${w.word(8)}<wbr>${w.word(6)}</p>`, `<p><img src="${w.picture()}" usemap="#m" alt="" width="400"><map name="m"><area shape="rect" coords="0,0,200,100" href="${w.link()}" alt="${w.hidden(1)}"></map></p>`, `<p><abbr title="${w.hidden(2)}">${w.word(3).toUpperCase()}</abbr> <q>${w.say()}</q> <cite>${w.title()}</cite> <mark>${w.say()}</mark> <var>x</var> <bdi>${w.person()}</bdi></p>`, `<address>${w.place()}</address>`]),

    "relative-base": (w) => `<!doctype html><html><head><base href="https://www.${w.host}/mail/"><meta charset="utf-8"></head><body><p>${w.greet(w.person())}</p><p>${w.say()} <a href="a/${w.word(5)}?x=1&amp;y=2">${w.title()}</a>, <a href="#top">${w.title()}</a>, <a name="top">${w.title()}</a>, <a href="javascript:void(0)">${w.title()}</a>, <a href="${w.link()} ">${w.title()}</a>, <a href="https://www.${w.host}/wiki/A_(b)">[${w.word(4)}](${w.word(3)})</a>.</p><p><a href="${w.link()}"><div>${w.title()}</div><div>${w.say()}</div></a></p></body></html>`,

    "outlook-chain": (w) => word(w, w.times(4, (i) => `<p class=MsoNormal>${w.greet(w.person())}<o:p></o:p></p><p class=MsoNormal><o:p>&nbsp;</o:p></p><p class=MsoNormal>${w.paragraph(2)}<o:p></o:p></p><p class=MsoNormal>${w.person()}<o:p></o:p></p>${i < 3 ? `<div><div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm'><p class=MsoNormal>${headerLines(w)}<o:p></o:p></p></div></div><p class=MsoNormal><o:p>&nbsp;</o:p></p>` : ""}`)),

    "apple-forward": (w) => `<html><body style="overflow-wrap: break-word;" dir="${w.direction}">${w.say()}<br><div><br><blockquote type="cite"><div>${w.label("forwarded")}:</div><br class="Apple-interchange-newline"><div style="margin-top: 0px; margin-right: 0px; margin-bottom: 0px; margin-left: 0px;"><span style="font-family: -webkit-system-font, Helvetica Neue, Helvetica, sans-serif; color:rgba(0, 0, 0, 1.0);"><b>${w.label("from")}: </b></span><span>${w.person()} &lt;<a href="mailto:${w.address()}">${w.address("f")}</a>&gt;<br></span></div><div style="margin: 0px;"><span><b>${w.label("subject")}: ${w.title()}</b><br></span></div><div style="margin: 0px;"><span><b>${w.label("date")}: </b></span><span>${w.date()}<br></span></div><br><div><div>${w.paragraph(3)}</div><div><br></div><ul><li>${w.say()}</li><li>${w.say()}</li></ul></div></blockquote></div></body></html>`,

    "mixed-directions": (w) => bare(w, [`<p dir="rtl">&rlm;${w.title()} (USB-C 3.2) &lrm;${w.number(100, 999)}-${w.number(1000, 9999)}&lrm; ${w.say()}</p>`, `<p dir="auto">\u2067${w.person()}\u2069: ${w.say()}</p>`, `<table dir="rtl" border="1"><tr><th>${w.label("item")}</th><th>${w.label("price")}</th></tr>${w.times(3, () => `<tr><td>${w.product()}</td><td dir="ltr">${w.price()}</td></tr>`).join("")}</table>`, `<ul dir="rtl"><li>${w.say()}</li><li>\u202b${w.say()}\u202c</li></ul>`, `<p>${w.bye()} ${w.person()}</p>`]),

    "monitor": (w) => newsletter(w, [`<tr><td bgcolor="#1f1f23" style="padding:16px;background:#1f1f23"><span style="${textStyle(w, 14, "#ffffff")}">🔥 ${w.number(1, 9)} × <b>${w.label("failed")}</b> | ${w.word(6)}_${w.word(4)}</span></td></tr>`,
        ...w.times(2, () => row(w, `<h3 style="${textStyle(w, 16)}">${w.title()}</h3><table cellpadding="4" cellspacing="0" style="${textStyle(w, 13)}">${w.times(4, () => `<tr><td style="border-bottom:1px solid #eee"><b>${w.word(5)}_${w.word(4)}</b></td><td style="border-bottom:1px solid #eee">${w.pick(`${w.number(1, 99)}.${w.number(1, 9)}%`, `<code>${w.word(5)}-${w.number(1, 9)}.${w.word(4)}</code>`, "true")}</td></tr>`).join("")}</table><p><a href="${w.link()}">${w.label("readMore")}</a> | <a href="${w.link()}">${w.label("comment")}</a></p>`)), row(w, picture(w, w.title())), footer(w)]),

    "pocket-newsletter": (w) => `<div style="background-color:#f5f5f5"><div style="max-width:600px;margin:0 auto;background:#fff;padding:20px"><div style="font-size:24px;font-weight:bold">${w.title()}</div>${w.times(5, () => `<div style="margin:16px 0"><a href="${w.link()}" style="text-decoration:none"><div style="font-size:18px;color:#222">${w.title()}</div></a><div style="color:#555">${w.paragraph(2)}</div><div style="font-size:12px;color:#999">${w.date("medium")}</div></div><div style="border-top:1px solid #eee;height:1px;line-height:1px;font-size:1px">&nbsp;</div>`).join("")}<div style="font-size:12px;color:#999;text-align:center">${w.label("rights")} <a href="${w.link()}">${w.label("unsubscribe")}</a></div></div></div>`,
};
