import { button, columns, facts, footer, header, heading, paragraph, picture, row, spacer, textStyle } from "../blocks.js";
import { newsletter, notice, word } from "../frames.js";

const code = (w) => w.word(6).toUpperCase();
const guests = (w) => w.times(w.number(2, 5), () => w.person());

function leg(w) {
    const big = textStyle(w, 22);
    return `<table width="100%" border="0" cellspacing="0" cellpadding="0" style="border:1px solid #d5dbe1;border-radius:6px">
<tr><td colspan="3" style="padding:10px 16px;background:#eef3f8;${textStyle(w, 13)}">${w.date("full")} &nbsp;|&nbsp; ${w.word(2).toUpperCase()} ${w.number(100, 9999)}</td></tr>
<tr><td style="padding:12px 16px;${big}">${w.time()}</td><td align="center" rowspan="2"><img src="${w.picture("plane")}" alt="→" width="24"></td><td align="right" style="padding:12px 16px;${big}">${w.time()}</td></tr>
<tr><td style="padding:0 16px 12px;${textStyle(w, 13)}">${w.word(3).toUpperCase()}<br>${w.place()}</td><td align="right" style="padding:0 16px 12px;${textStyle(w, 13)}">${w.word(3).toUpperCase()}<br>${w.place()}</td></tr></table>`;
}

export const travel = {
    "flight": (w) => newsletter(w, [header(w), row(w, `<p style="${textStyle(w, 13)}">${w.label("code")}</p><p style="${textStyle(w, 28)}"><b>${code(w)}</b></p>`),
        row(w, leg(w)), spacer(w), row(w, leg(w)),
        row(w, `<table width="100%" cellpadding="6" cellspacing="0" border="1" style="border-collapse:collapse"><tr><th>${w.label("guests")}</th><th>${w.label("seat")}</th><th>${w.label("gate")}</th></tr>${guests(w).map((name) => `<tr><td>${name}</td><td>${w.number(1, 40)}${w.pick("A", "C", "F")}</td><td>${w.pick("B", "D")}${w.number(1, 60)}</td></tr>`).join("")}</table>`),
        row(w, columns(w, [button(w, w.label("accept")), button(w, w.label("download"))])), footer(w)]),

    "train-ticket": (w) => notice(w, [`<h1>${w.title()}</h1>`, `<table border="1" cellpadding="5" style="border-collapse:collapse;width:100%"><thead><tr><th>${w.label("place")}</th><th>${w.label("date")}</th><th>${w.label("departs")}</th><th>${w.label("arrives")}</th><th>${w.label("seat")}</th></tr></thead><tbody>
${w.times(3, (i) => `<tr><td>${w.place()}</td>${i === 0 ? `<td rowspan="3">${w.date("short")}</td>` : ""}<td>${w.time()}</td><td>${w.time()}</td><td>${w.number(1, 12)} / ${w.number(11, 98)}</td></tr>`).join("\n")}<tr><td colspan="4"><em>${w.say()}</em></td><td>${w.price()}</td></tr></tbody></table>`,
        `<p><img src="cid:barcode.${w.number(1, 99)}@${w.host}" alt="" width="220" height="80"></p>`, `<p>${w.say()}</p>`, `<p class="muted">${w.say()}</p>`]),

    "event-ticket": (w) => newsletter(w, [header(w), row(w, picture(w, w.title())), row(w, heading(w, w.title(), 1)),
        row(w, columns(w, [`<p style="${textStyle(w, 12, "#888888")}text-transform:uppercase">${w.label("date")}</p><p style="${textStyle(w)}"><b>${w.date()}</b><br>${w.time()}</p>`, `<p style="${textStyle(w, 12, "#888888")}text-transform:uppercase">${w.label("place")}</p><p style="${textStyle(w)}"><b>${w.place()}</b></p>`])),
        row(w, `<table width="100%" style="border-top:2px dashed #ccc"><tr><td>${guests(w).map((name, i) => `<div style="${textStyle(w)}padding:8px 0">${i + 1}. ${name} — ${w.label("seat")} ${w.number(1, 30)}</div>`).join("")}</td><td width="140" align="center"><img src="${w.picture("qr")}" width="120" height="120" alt="QR"></td></tr></table>`),
        row(w, button(w, w.label("download"))), footer(w)]),

    "hotel": (w) => newsletter(w, [header(w), row(w, picture(w)), row(w, heading(w, w.firm, 2) + `<p style="${textStyle(w)}">★★★★ ${w.place()}</p>`),
        row(w, facts(w, [[w.label("arrives"), `${w.date("full")}, 15:00`], [w.label("departs"), `${w.date("full")}, 11:00`], [w.label("nights"), w.number(1, 9)], [w.label("guests"), guests(w).join(", ")], [w.label("total"), `<b>${w.price()}</b>`]])),
        row(w, `<h3>${w.label("terms")}</h3><ul>${w.times(3, () => `<li>${w.say()}</li>`).join("")}</ul><dl>${w.times(3, () => `<dt>${w.title()}</dt><dd>${w.say()}</dd>`).join("")}</dl>`),
        row(w, button(w, w.label("order")) + `<p style="${textStyle(w, 12)}">${w.say()}</p>`), footer(w)]),

    "invitation-card": (w) => `<div style="font-family:Roboto,${w.font},Arial,sans-serif"><span itemscope itemtype="http://schema.org/EventReservation"><span itemprop="reservationNumber" content="${w.token(12)}"></span>
<div style="display:none;font-size:1px;color:#fff;line-height:1px;height:0;max-height:0;width:0;max-width:0;opacity:0;overflow:hidden" itemprop="name">${w.hidden(5)}</div>
<table border="0" cellpadding="0" cellspacing="0" role="presentation" align="center" style="width:100%" class="body-container" dir="${w.direction}"><tbody><tr><td style="" class="" align="left"><!--[if mso | IE]><table border="0" role="presentation"><tr><td height="16" style="height:16px;"><![endif]--><div style="height:16px;" aria-hidden="true"> &nbsp; </div><!--[if mso | IE]></td></tr></table><![endif]-->
<table border="0" cellpadding="0" cellspacing="0" role="presentation" align="center" style="width:100%"><tbody><tr><td style="border:solid 1px #dadce0;border-radius:8px;direction:${w.direction};font-size:0;padding:24px 32px;text-align:left;vertical-align:top">
<table border="0" cellpadding="0" cellspacing="0" role="presentation"><tr><td style="font-size:0;padding:0;text-align:left;word-break:break-word;padding-bottom:24px"><div style="font-family:'Google Sans',Roboto;font-style:normal;font-weight:400;font-size:22px;line-height:28px;color:#3c4043;text-decoration:none"><span itemprop="name">${w.title()}</span></div></td></tr>
${[["time", `<time itemprop="startDate" datetime="20261203T090000Z">${w.date("full")} · ${w.time()} – ${w.time()}</time>`], ["place", `<span itemprop="location">${w.place()}</span> <a href="${w.link("map")}">${w.label("readMore")}</a>`], ["guests", `<div>${guests(w).map((name) => `<div><a href="mailto:${w.address()}" style="color:#3c4043">${name}</a></div>`).join("")}</div>`]].map(([key, value]) => `<tr><td style="font-size:0;padding:0;padding-bottom:24px"><div style="color:#3c4143;font-family:Roboto,sans-serif;font-size:14px;line-height:20px"><table border="0" cellpadding="0" cellspacing="0" role="presentation" style="padding-bottom:4px"><tr><td><h2 class="primary-text" style="font-size:14px;color:#3c4043;font-weight:700;margin:0;padding:0">${w.label(key)}</h2></td></tr></table>${value}</div></td></tr>`).join("\n")}
<tr><td><div style="font-size:14px;line-height:20px"><p>${w.say()}</p><p><span style="font-weight:700">${w.label("reply")}</span></p><table role="presentation"><tr>${["yes", "no", "maybe"].map((key) => `<td><a href="https://calendar.${w.host}/rsvp?a=${key}&amp;t=${w.token(80)}" style="font-weight:bold;font-size:14px;padding:8px 16px;border:1px solid #dadce0;text-decoration:none;color:#5f6368"><span itemprop="name">${w.label(key)}</span></a></td>`).join("")}</tr></table></div></td></tr></table></td></tr></tbody></table>
<table border="0" role="presentation" align="center" style="width:100%"><tr><td style="font-size:12px;color:#70757a"><p>${w.label("footer", { firm: w.firm })}</p></td></tr></table></td></tr></tbody></table></span></div>`,

    "invitation-meeting": (w) => word(w, [
        `<p class=MsoNormal>${w.greet(w.person())}<o:p></o:p></p><p class=MsoNormal><o:p>&nbsp;</o:p></p><p class=MsoNormal>${w.paragraph(2)}<o:p></o:p></p>`,
        `<div><p class=MsoNormal><span style='color:#5F5F5F'>${"_".repeat(80)}</span><o:p></o:p></p></div>`,
        `<div><div style='margin-bottom:18.0pt'><p class=MsoNormal><span style='font-size:18.0pt;font-family:"Segoe UI",sans-serif;color:#252424'>${w.title()}</span><o:p></o:p></p></div>
<div style='margin-bottom:5.0pt'><p class=MsoNormal><b><span style='font-size:10.5pt;color:#252424'>${w.label("accept")}</span></b><o:p></o:p></p></div>
<p class=MsoNormal><a href="https://meet.${w.host}/l/meetup-join/19%3ameeting_${w.token(48)}%40thread.v2/0?context=%7b%22Tid%22%3a%22${w.token(30)}%22%7d" target="_blank"><span style='font-size:10.5pt;color:#6264A7'>${w.label("confirm")}</span></a><o:p></o:p></p>
<div><p class=MsoNormal>${w.label("code")}: <span style='font-size:12.0pt'>${w.number(100, 999)} ${w.number(100, 999)} ${w.number(100, 999)}</span><o:p></o:p></p></div>
<p class=MsoNormal><a href="tel:+4969${w.number(100000, 999999)},,${w.number(1000000, 9999999)}#"><span style='font-size:10.5pt'>+49 69 ${w.number(100000, 999999)}</span></a> ${w.place()}<o:p></o:p></p></div>`,
        `<div style='border:none;border-bottom:solid windowtext 1.0pt'><p class=MsoNormal><span style='color:white;mso-style-textfill-fill-alpha:0'>&nbsp;</span><o:p></o:p></p></div>`]),

    "estates": (w) => newsletter(w, [header(w), row(w, heading(w, w.title(), 2)),
        ...w.times(3, () => row(w, picture(w, w.place()) + `<table width="100%" cellpadding="0" cellspacing="0"><tr><td style="${textStyle(w, 20)}"><b>${w.price(900)}</b></td><td align="right"><a href="${w.link()}">${w.label("readMore")}</a></td></tr></table><p style="${textStyle(w, 14)}"><b>${w.number(1, 5)}</b> ${w.label("bedrooms")} &nbsp;|&nbsp; <b>${w.number(40, 190)}</b> m<sup>2</sup> &nbsp;|&nbsp; ${w.place()}</p><p style="${textStyle(w, 14)}">${w.say()}</p>`)), footer(w)]),
};
