import { bare, notice, word } from "../frames.js";

const normal = (w, html) => `<p class=MsoNormal>${html}<o:p></o:p></p>`;
const blank = `<p class=MsoNormal><o:p>&nbsp;</o:p></p>`;

/** An item of a list as Word writes it: a paragraph whose bullet stands in its text, for programs without its lists. */
function item(w, html, level = 1, mark = "·") {
    const symbol = mark === "·" ? "Symbol" : "Courier New";
    const bullet = `<span style='font-family:${symbol};mso-fareast-font-family:${symbol}'><span style='mso-list:Ignore'>${mark}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp; </span></span></span>`;
    return `<p class=MsoListParagraph style='margin-left:${18 * (level + 1)}.0pt;text-indent:-18.0pt;mso-list:l0 level${level} lfo1'><![if !supportLists]>${bullet}<![endif]>${w.chance(0.3) ? `<span dir=${w.direction.toUpperCase()}></span>` : ""}<span lang=EN-US>${html}<o:p></o:p></span></p>`;
}

const grid = (w) => `<table class=MsoTableGrid border=1 cellspacing=0 cellpadding=0 style='border-collapse:collapse;border:none'>
${w.times(w.number(3, 5), (i) => `<tr>${w.times(3, (j) => `<td width=201 valign=top style='width:150.5pt;border:solid windowtext 1.0pt;padding:0cm 5.4pt 0cm 5.4pt'><p class=MsoNormal>${i === 0 ? `<b>${w.label(["item", "assignee", "date"][j])}<o:p></o:p></b>` : `${[w.product(), w.person(), w.date("short")][j]}<o:p></o:p>`}</p></td>`).join("")}</tr>`).join("\n")}</table>`;

const signature = (w) => `${normal(w, w.bye())}${blank}<p class=MsoNormal><b><span style='font-size:10.0pt;font-family:"Arial",sans-serif;color:#1F497D'>${w.person()}</span></b><o:p></o:p></p><p class=MsoNormal><span style='font-size:9.0pt;font-family:"Arial",sans-serif;color:gray'>${w.firm} | ${w.place()}<br>T +49 30 ${w.number(100000, 999999)} | <a href="mailto:${w.address()}">${w.address("info")}</a></span><o:p></o:p></p><p class=MsoNormal><img width=120 height=40 style='width:1.25in;height:.4166in' id="Picture_x0020_1" src="cid:image001.png@01D${w.number(10000, 99999)}" alt="${w.chance(0.5) ? w.firm : ""}"><o:p></o:p></p>`;

const headerBlock = (w) => `<div><div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm'><p class=MsoNormal><b><span lang=EN-US>${w.label("from")}:</span></b><span lang=EN-US> ${w.person()} &lt;${w.address()}&gt; <br><b>${w.label("sent")}:</b> ${w.date("full")} ${w.time()}<br><b>${w.label("to")}:</b> ${w.person()} &lt;${w.address()}&gt;<br><b>${w.label("subject")}:</b> RE: ${w.title()}<o:p></o:p></span></p></div></div>${blank}`;

const mail = (w) => normal(w, w.greet(w.person())) + blank + normal(w, w.paragraph(2)) + blank;

export const office = {
    "outlook-reply": (w) => word(w, [mail(w), item(w, w.say()), item(w, w.say()), item(w, w.ask(), 2, "o"), blank, signature(w), blank, headerBlock(w), mail(w), normal(w, w.ask()), signature(w)]),
    "outlook-forward": (w) => word(w, [normal(w, w.say()), blank, `<div><div style='border:none;border-top:solid #B5C4DF 1.0pt;padding:3.0pt 0cm 0cm 0cm'><p class=MsoNormal>-----${w.label("original")}-----<br><b>${w.label("from")}:</b> ${w.person()} [mailto:${w.address()}]<br><b>${w.label("sent")}:</b> ${w.date()}<br><b>${w.label("to")}:</b> ${w.person()}<br><b>${w.label("cc")}:</b> ${w.person()}<br><b>${w.label("subject")}:</b> ${w.title()}<o:p></o:p></p></div></div>`, mail(w), grid(w), blank, signature(w)]),
    "word-letter": (w) => word(w, [`<h1>${w.title()}<o:p></o:p></h1>`, mail(w), `<h2>${w.title()}<o:p></o:p></h2>`, item(w, `<b>${w.say()}</b>`), item(w, w.say()), item(w, w.say(), 2, "o"), item(w, w.say(), 2, "o"), item(w, w.say()), blank, grid(w), blank, normal(w, `<u>${w.say()}</u> <s>${w.say()}</s> <span style='color:red'>${w.say()}</span>`), signature(w)]),
    "word-numbers": (w) => word(w, [mail(w), ...w.times(4, (i) => item(w, w.say(), 1, `${i + 1}.`)), blank, `<ul style='margin-top:0cm' type=disc><li class=MsoListParagraph style='margin-left:0cm;mso-list:l0 level1 lfo1'>${w.say()}<o:p></o:p></li><ul style='margin-top:0cm' type=circle><li class=MsoListParagraph style='mso-list:l0 level2 lfo1'>${w.say()}<o:p></o:p></li></ul><li class=MsoListParagraph>${w.say()}<o:p></o:p></li></ul>`, signature(w), `<p class=MsoNormal style='mso-margin-top-alt:auto'><span style='font-size:8.0pt;color:#7F7F7F'>${w.paragraph(3)}</span><o:p></o:p></p>`]),
    "outlook-web": (w) => `<html><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"><style type="text/css" style="display:none;"> P {margin-top:0;margin-bottom:0;} </style></head><body dir="${w.direction}">${w.times(3, () => `<div class="elementToProof" style="font-family: Aptos, Aptos_EmbeddedFont, Calibri, Helvetica, sans-serif; font-size: 12pt; color: rgb(0, 0, 0);">${w.paragraph(2)}</div><div class="elementToProof" style="font-family: Aptos, Calibri; font-size: 12pt; color: rgb(0, 0, 0);"><br></div>`).join("")}<ol data-editing-info="{&quot;orderedStyleType&quot;:1}" style="margin-top: 0px; margin-bottom: 0px;"><li style="font-size: 12pt"><div role="presentation">${w.say()}</div></li><li><div role="presentation">${w.say()}</div></li></ol><div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" dir="ltr"><font face="Calibri, sans-serif" style="font-size:11pt" color="#000000"><b>${w.label("from")}:</b> ${w.person()} &lt;${w.address()}&gt;<br><b>${w.label("sent")}:</b> ${w.date("full")}<br><b>${w.label("to")}:</b> ${w.person()} &lt;${w.address()}&gt;<br><b>${w.label("subject")}:</b> Re: ${w.title()}</font><div>&nbsp;</div></div><div><div>${w.paragraph(2)}</div><div><br></div><div>${w.person()}</div></div></body></html>`,

    "school-news": (w) => `<HTML><HEAD><TITLE>${w.hidden(2)}</TITLE></HEAD><BODY BGCOLOR="#FFFFCC" TEXT="#000080" LINK="#FF0000"${w.direction === "rtl" ? ` DIR=RTL` : ""}><CENTER><FONT FACE="Comic Sans MS" SIZE="6" COLOR="#CC0000"><B>${w.title()}</B></FONT><BR><IMG SRC="${w.picture("school")}" ALT="${w.firm}" WIDTH=300 HEIGHT=120 BORDER=0><HR WIDTH="80%" SIZE=3></CENTER><P><FONT SIZE="+1">${w.paragraph(3)}<P>${w.paragraph(2)}</FONT><UL><LI>${w.say()}<LI>${w.say()}<LI>${w.say()}</UL><TABLE BORDER=1 CELLPADDING=4 ALIGN=CENTER BGCOLOR=white><TR><TD><B>${w.label("date")}</B><TD><B>${w.label("place")}</B><TD><B>${w.label("time")}</B>${w.times(4, () => `<TR><TD>${w.date("short")}<TD>${w.place()}<TD>${w.time()}`).join("")}</TABLE><MARQUEE>${w.say()}</MARQUEE><P ALIGN=right><I>${w.bye()}<BR>${w.person()}</I> <FONT COLOR="#FFFFCC">${w.hidden(6)}</FONT></BODY></HTML>`,

    "recipe": (w) => notice(w, [`<h1>${w.title()}</h1><p><em>${w.say()}</em></p><h2>${w.label("item")}</h2><ul>${w.times(5, () => `<li>${w.number(1, 900)}&nbsp;g ${w.product()}</li>`).join("")}</ul><h2>${w.label("steps")}</h2><ol>${w.times(4, () => `<li>${w.say()}</li>`).join("")}</ol><p>½ l, 180&thinsp;°C, ${w.number(10, 50)}&ndash;60&nbsp;min.</p>`]),

    "terms-changed": (w) => notice(w, [`<h1>${w.title()}</h1><p>${w.paragraph(3)}</p>`, ...w.times(4, (i) => `<h2>§ ${i + 1}. ${w.title()}</h2><p>${w.paragraph(3)} <ins>${w.say()}</ins> <del>${w.say()}</del></p><ol type="a"><li>${w.say()}</li><li>${w.say()}</li></ol>`), `<p><small>${w.paragraph(3)}</small></p><p><a href="${w.link()}">${w.label("terms")}</a> · <a href="${w.link()}">${w.label("privacy")}</a></p>`]),

    "science-note": (w) => bare(w, [`<h3>${w.title()}</h3>`, `<p>${w.say()} H<sub>2</sub>O, 10<sup>${w.number(2, 9)}</sup> m/s<sup>2</sup>, x<sub>i</sub>&le;y<sup>n+1</sup>, <b>α</b>&nbsp;=&nbsp;0,05.</p>`, `<p>${w.paragraph(2)}<sup>[${w.number(1, 9)}]</sup></p>`, `<table border="1"><caption>${w.title()}</caption><tr><th></th><th>A</th><th>B</th></tr>${w.times(3, () => `<tr><th>${w.label(w.pick("price", "balance", "amount"))}</th><td>${w.number(1, 99)}|${w.number(1, 9)}</td><td>&plusmn;${w.number(1, 9)}</td></tr>`).join("")}</table>`, `<p>${w.ask()}</p>`, `<p>${w.person()}</p>`]),

    "code-review": (w) => bare(w, [`<p>${w.greet(w.person())}</p>`, `<p>${w.say()}</p>`, `<pre>def ${w.word(5)}(self, *, key):
    """${w.word(8)} \`\`\`${w.word(3)}\`\`\`"""
    if not key:
        return {"a": [1, 2], 'b': "&lt;i&gt;"}

    return self.__${w.word(4)}__[key] or -1  # ${w.word(5)}
</pre>`, `<p>${w.ask()} <code>a*b*c</code>, <code>\`${w.word(4)}\`</code>, <samp>~/${w.word(4)}</samp></p>`, `<div style="font-family:Consolas,monospace;white-space:pre">  ${w.word(5)}:\n    - ${w.word(4)}: ${w.number(1, 9)}\n    - ${w.word(6)}: "${w.word(3)}"</div>`, `<p>${w.bye()}<br>${w.person()}</p>`]),

    "plain-program": (w) => `<html><body><p>${w.greet(w.person())}</p><p>${w.say()}</p><p>${w.label("order")}: ${w.number(1000, 99999)}<br>${w.label("date")}: ${w.date()}<br>${w.label("total")}: ${w.price()}</p><p><a href="${w.link()}">${w.label("download")}</a></p><p>${w.bye()}<br>${w.firm}</p></body></html>`,
};
