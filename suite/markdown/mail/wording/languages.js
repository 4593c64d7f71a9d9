/** The languages of the wordings, in the order of labels.txt. */
export const languages = [
    { tag: "en", locale: "en-US", currency: "USD", direction: "ltr", font: "Helvetica Neue" },
    { tag: "de", locale: "de-DE", currency: "EUR", direction: "ltr", font: "Segoe UI" },
    { tag: "fr", locale: "fr-FR", currency: "EUR", direction: "ltr", font: "Lato" },
    { tag: "es", locale: "es-ES", currency: "EUR", direction: "ltr", font: "Open Sans" },
    { tag: "pt", locale: "pt-BR", currency: "BRL", direction: "ltr", font: "Roboto" },
    { tag: "pl", locale: "pl-PL", currency: "PLN", direction: "ltr", font: "Lato" },
    { tag: "ru", locale: "ru-RU", currency: "RUB", direction: "ltr", font: "PT Sans" },
    { tag: "ar", locale: "ar-EG", currency: "EGP", direction: "rtl", font: "Tahoma" },
    { tag: "he", locale: "he-IL", currency: "ILS", direction: "rtl", font: "Arial" },
    { tag: "zh", locale: "zh-CN", currency: "CNY", direction: "ltr", font: "PingFang SC" },
    { tag: "ja", locale: "ja-JP", currency: "JPY", direction: "ltr", font: "Hiragino Sans" },
    { tag: "ko", locale: "ko-KR", currency: "KRW", direction: "ltr", font: "Malgun Gothic" },
];
