import { button, columns, footer, header, heading, paragraph, picture, row, textStyle } from "../blocks.js";
import { newsletter } from "../frames.js";

const person = (w) => `<table width="100%" role="presentation"><tr><td align="center"><a href="${w.link()}"><img src="${w.picture("face")}" alt="${w.chance(0.5) ? w.person() : ""}" width="64" height="64" style="border-radius:32px"></a></td></tr><tr><td align="center" style="${textStyle(w, 14)}"><a href="${w.link()}" style="color:#111;font-weight:bold;text-decoration:none">${w.person()}</a></td></tr><tr><td align="center" style="${textStyle(w, 12, "#777777")}">${w.firm}</td></tr></table>`;

export const social = {
    "social-digest": (w) => newsletter(w, [header(w), row(w, heading(w, w.title(), 2)),
        ...w.times(w.number(3, 5), () => row(w, `<table width="100%" cellpadding="0" cellspacing="0" style="border:1px solid #e6e6e6;border-radius:8px"><tr><td width="56" valign="top" style="padding:12px"><img src="${w.picture("face")}" width="40" height="40" alt=""></td><td style="padding:12px"><b>${w.person()}</b> <span style="color:#657786">@${w.word(6)} · ${w.number(1, 23)}h</span><br>${w.pick(w.say(), w.ask())} #${w.word(5)} ${w.pick("❤️", "🔥", "🇫🇷", "")}<br><span style="${textStyle(w, 12, "#657786")}">${w.number(2, 900)} ${w.label("likes")}</span></td></tr></table>`)),
        row(w, columns(w, w.times(3, () => person(w)))), row(w, button(w, w.label("readMore"))), footer(w)]),

    "forum-summary": (w) => newsletter(w, [header(w), row(w, `<table style="width:100%" cellpadding="0" cellspacing="0"><tr>${w.times(3, () => `<td align="center" style="border-right:1px solid #ddd;padding:8px"><span style="font-size:28px;font-weight:400">${w.number(3, 99)}</span><br><span style="${textStyle(w, 12)}text-transform:uppercase">${w.label(w.pick("comment", "likes", "reply"))}</span></td>`).join("")}</tr></table>`),
        ...w.times(3, () => row(w, `<h2 style="${textStyle(w, 20)}"><a href="${w.link()}" style="color:#2a5885;text-decoration:none"><strong>${w.title()}</strong></a></h2><p style="${textStyle(w, 13)}"><img src="${w.picture("face")}" width="20" height="20" alt="" style="vertical-align:middle"> <b>${w.person()}</b> &mdash; ${w.label("reply")}: ${w.number(2, 40)}</p><div>${paragraph(w)}<aside class="quote"><blockquote style="background:#f5f5f5;padding:8px;border-left:5px solid #bbb"><p>${w.say()}</p></blockquote></aside><p>${w.ask()}</p></div>`)), footer(w)]),

    "course-lesson": (w) => newsletter(w, [header(w), row(w, `<p style="${textStyle(w, 12)}">${w.number(1, 9)} / 12</p>` + heading(w, w.title(), 1) + paragraph(w)),
        row(w, `<h2>${w.label("steps")}</h2><ol style="padding-left:20px">${w.times(3, () => `<li style="${textStyle(w)}"><b>${w.title()}.</b> ${w.say()}</li>`).join("")}</ol>`),
        row(w, `<table width="100%" cellpadding="0" cellspacing="0"><tr><td width="16" valign="top">•</td><td style="${textStyle(w)}">${w.say()}</td></tr><tr><td width="16" valign="top">•</td><td style="${textStyle(w)}">${w.say()}</td></tr></table>`),
        row(w, picture(w, w.title())), row(w, button(w, w.label("readMore"))), footer(w)]),

    "community-weekly": (w) => newsletter(w, [header(w), row(w, heading(w, w.title(), 1)),
        ...["order", "comment", "summary"].map((key) => row(w, `<h2 style="${textStyle(w, 18)}border-bottom:2px solid #eee">${w.label(key)}</h2><ul style="padding-left:18px;margin:0">${w.times(3, () => `<li style="${textStyle(w)}margin-bottom:6px"><a href="${w.link()}"><b>${w.title()}</b></a> &ndash; ${w.say()} <i>(${w.person()})</i></li>`).join("")}</ul>`)),
        row(w, `<div style="background:#fffbe6;border:1px solid #ffe58f;padding:12px">${paragraph(w, w.say())}${button(w, w.label("buy"))}</div>`), footer(w)]),
};
