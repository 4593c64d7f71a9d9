/**
 * Ways of hiding words, a function each: it gets a Wording and the hidden HTML, and gives the HTML and, where it has
 * one, a style sheet. What is planted so is seen by nobody at a screen 800 px wide in light colours.
 */
const inline = (style, tag = "span") => (_, words) => ({ html: `<${tag} style="${style}">${words}</${tag}>` });

export const hiding = {
    none: inline("display:none"),
    noneImportant: inline("display:none !important;mso-hide:all;visibility:hidden", "div"),
    attribute: (_, words) => ({ html: `<span hidden>${words}</span>` }),
    visibility: inline("visibility:hidden"),
    collapse: inline("visibility: collapse", "div"),
    template: (_, words) => ({ html: `<template><p>${words}</p></template>` }),
    comment: (_, words) => ({ html: `<!-- ${words} -->` }),
    mso: (_, words) => ({ html: `<!--[if mso]><table><tr><td>${words}</td></tr></table><![endif]-->` }),
    msoVersion: (_, words) => ({ html: `<!--[if (gte mso 9)|(IE)]><p>${words}</p><![endif]-->` }),
    script: (_, words) => ({ html: `<script type="application/ld+json">{"name":"${words}"}</script>` }),
    size: inline("font-size:0"),
    sizeSmall: inline("font-size:1px;line-height:1px", "div"),
    sizeTwo: inline("font-size: 2px"),
    maxHeight: inline("max-height:0;overflow:hidden", "div"),
    height: inline("height:0px;overflow:hidden;line-height:20px", "div"),
    width: inline("width:0;max-width:0;height:0;overflow:hidden;white-space:nowrap", "div"),
    onePixel: inline("display:block;max-width:1px;max-height:1px;overflow:hidden", "div"),
    opacity: inline("opacity:0", "div"),
    opacityTwice: (_, words) => ({ html: `<div style="opacity:.06"><div style="opacity:0.05">${words}</div></div>` }),
    transparent: inline("color:transparent"),
    alpha: inline("color:rgba(30,30,30,0)"),
    alphaHex: inline("color:#33333300"),
    white: (_, words) => ({ html: `<div style="background:#ffffff"><span style="color:#ffffff">${words}</span></div>` }),
    nearlyWhite: (_, words) => ({
        html: `<table bgcolor="#FFFFFF"><tr><td style="color:#fefefe;font-size:11px">${words}</td></tr></table>`,
    }),
    ground: (w, words) => {
        const colour = w.pick("#f4f4f4", "#123456", "#fafafa", "navy");
        return { html: `<table style="background-color:${colour}"><tr><td><font color="${colour}">${words}</font></td></tr></table>` };
    },
    groundStyle: inline("background-color:rgb(240, 240, 240);color:#f0f0f0", "div"),
    hue: inline("background-color:hsl(0, 0%, 100%);color:hsl(120, 10%, 100%)", "div"),
    named: (_, words) => ({ html: `<table bgcolor=white><tr><td><font color=White>${words}</font></td></tr></table>` }),
    page: (_, words) => ({ html: `<p style="color:#fff">${words}</p>`, sheet: "body, div, table, td { background: #fff }" }),
    shorthand: inline("font:0/0 a;color:#333"),
    shorthandSmall: inline("font: italic 1px/1px sans-serif", "div"),
    percent: inline("font-size:0%"),
    cutBelow: inline("max-height:0;overflow-y:hidden", "div"),
    cutByClip: inline("height:0;overflow:clip", "div"),
    indentLetters: inline("text-indent:-999em", "p"),
    leftLetters: inline("position:absolute;left:-200em", "div"),
    above: inline("position:fixed;top:-100em", "div"),
    translateUp: inline("transform:translate3d(0, -3000px, 0)", "div"),
    scaleAcross: inline("transform:scaleX(0)", "div"),
    circle: inline("clip-path:circle(0)", "div"),
    polygon: inline("position:absolute;clip:rect(1px, 1px, 1px, 1px)", "div"),
    row: (_, words) => ({ html: `<table><tr style="display:none"><td>${words}</td></tr><tr hidden><td>${words}</td></tr></table>` }),
    left: inline("position:absolute;left:-9999px"),
    top: inline("position:absolute;top:-5000px;left:0", "div"),
    indent: inline("text-indent:-9999px;white-space:nowrap;overflow:hidden", "div"),
    margin: inline("margin-left:-9999px", "div"),
    translate: inline("transform:translateX(-9999px)", "div"),
    clip: inline("position:absolute;clip:rect(0 0 0 0);height:1px;width:1px;overflow:hidden"),
    clipPath: inline("clip-path:inset(100%)", "div"),
    scale: inline("transform:scale(0)", "div"),
    sheetClass: sheet("class", (name) => `.${name}{display:none}`),
    sheetId: sheet("id", (name) => `#${name} { visibility: hidden }`),
    sheetElement: sheet("class", (name) => `p.${name}{font-size:0 !important}`),
    sheetAttribute: sheet("class", (name) => `[class="${name}"]{display:none!important}`),
    sheetGroup: sheet("class", (name) => `.a1, .b2 .c3, .${name} , .d4{max-height:0px;overflow:hidden}`),
    sheetScreen: sheet("class", (name) => `@media screen { .${name}{display:none} }`),
    sheetWide: sheet("class", (name) => `@media only screen and (min-width:600px){.${name}{display:none !important}}`),
    sheetImportant: sheet("class", (name) => `.${name}{display:none !important}`, `style="display:block"`),
    sheetDescendant: (w, words) => {
        const name = w.word(6);
        return { html: `<div class="${name}"><p><span>${words}</span></p></div>`, sheet: `.${name} p span{display:none}` };
    },
    sheetChild: (w, words) => {
        const name = w.word(6);
        return { html: `<div id="${name}"><p>${words}</p></div>`, sheet: `div#${name} > p{opacity:0}` };
    },
    sheetSpecific: (w, words) => {
        const name = w.word(6);
        return {
            html: `<div class="${name}"><p class="in-${name}">${words}</p></div>`,
            sheet: `.${name} p.in-${name}{display:none} p{display:block} .in-${name}{display:block}`,
        };
    },
    sheetAll: sheet("class", (name) => `@media all and (max-width:800px){.${name}{visibility:hidden!important}}`),
    sheetBoth: sheet("class", (name) => `.x .${name}, p.${name}[class]{font-size:1px}`),
    sheetComment: sheet("class", (name) => `/* .${name}{} */ <!-- .${name}{display:none} -->`),
    mobileOnly: sheet("class", (name) => `.${name}{display:none} @media (max-width:480px){.${name}{display:block}}`),
};

function sheet(attribute, rules, more = "") {
    return (w, words) => {
        const name = w.word(8);
        return { html: `<p ${attribute}="${name}" ${more}>${words}</p>`, sheet: rules(name) };
    };
}

/** The same for words that are seen although something nearby says otherwise. */
export const showing = {
    mobile: (w, words) => {
        const name = w.word(7);
        return { html: `<p class="${name}">${words}</p>`, sheet: `@media (max-width:600px){.${name}{display:none!important}}` };
    },
    dark: (w, words) => {
        const name = w.word(7);
        return { html: `<p class="${name}">${words}</p>`, sheet: `@media (prefers-color-scheme: dark){.${name}{display:none}}` };
    },
    print: (w, words) => {
        const name = w.word(7);
        return { html: `<p class="${name}">${words}</p>`, sheet: `@media print{.${name}{display:none}}` };
    },
    hover: (w, words) => {
        const name = w.word(7);
        return { html: `<p class="${name}">${words}</p>`, sheet: `.${name}:hover{display:none}` };
    },
    inline: (w, words) => {
        const name = w.word(7);
        return { html: `<p class="${name}" style="display:block">${words}</p>`, sheet: `.${name}{display:none}` };
    },
    picture: (w, words) => ({
        html: `<table width="100%"><tr><td background="${w.picture()}" style="background:url('${w.picture()}') center / cover;color:#ffffff;padding:40px">${words}</td></tr></table>`,
    }),
    aria: (_, words) => ({ html: `<p aria-hidden="true">${words}</p>` }),
    notMso: (_, words) => ({ html: `<!--[if !mso]><!-- --><p>${words}</p><!--<![endif]-->` }),
    noscript: (_, words) => ({ html: `<noscript><p>${words}</p></noscript>` }),
    back: (w, words) => {
        const name = w.word(7);
        return { html: `<div style="visibility:hidden">\n<p class="${name}">${words}</p></div>`, sheet: `.${name}{visibility:visible}` };
    },
    wider: (w, words) => {
        const name = w.word(7);
        return { html: `<p class="${name}">${words}</p>`, sheet: `@media (min-width:801px){.${name}{display:none}}` };
    },
    unimportant: (w, words) => {
        const name = w.word(7);
        return { html: `<p id="${name}" class="${name}">${words}</p>`, sheet: `.${name}{display:none} #${name}{display:block}` };
    },
    unlaid: (_, words) => ({ html: `<p style="height:0">${words}</p><br>` }),
    pale: (_, words) => ({ html: `<p style="background:#ffffff;color:#f0f0f0">${words}</p>` }),
    grey: (_, words) => ({ html: `<p style="background:#fff;color:#c4c4c4">${words}</p>` }),
    near: (_, words) => ({ html: `<p style="position:relative;left:-4px;margin-left:-12px;text-indent:-8px">${words}</p>` }),
};
