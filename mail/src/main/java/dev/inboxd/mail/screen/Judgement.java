package dev.inboxd.mail.screen;

import dev.inboxd.mail.reply.ExtractedReply;
import org.jspecify.annotations.Nullable;

/** Weighs the texts of one mail. */
final class Judgement {
    /** Points of what nobody sees from which it counts as an order. */
    private static final double LOW = 3;

    private static final double DISGUISED = 8;
    private static final double ODD_ATTRIBUTE = 5;
    private static final double HISTORY = 0.5;
    private static final double PLAIN_LINK = 2;
    private static final double OPEN_ADDRESS = 8;
    private static final double DIALOGUE = 10;

    private final MailTexts texts;
    private final boolean careful;
    private final Score total = new Score();
    private final int enciphered = RuleBook.ALL.number("enciphered");

    /** @param careful whether quotations and history are weighed */
    Judgement(MailTexts texts, boolean careful) {
        this.texts = texts;
        this.careful = careful;
    }

    Score score() {
        String text = texts.text();
        HtmlContent html = texts.html();
        Score plain = text == null && html != null ? new Score() : body(text == null ? "" : text);
        total.addAll(plain, 1);
        if (careful && text != null) {
            history(text, ExtractedReply.textOf(text, null, false));
        }
        if (html != null) {
            Score shown = body(html.visible());
            total.addAll(shown, 1);
            hidden(html.hidden(), LOW);
            hidden(html.attributes(), ODD_ATTRIBUTE);
            links(html.links());
            if (text != null
                    && plain.sum() >= LOW
                    && shown.sum() * 2 < plain.sum()
                    && !html.visible().isBlank()) {
                total.add(ScreenReason.HIDDEN_TEXT, DISGUISED);
            }
            // A reader of plain text does not see it. It is a reason beside others: texts are often a mere note.
            if (text != null && shown.sum() >= Score.ENOUGH && plain.sum() * 2 < shown.sum() && !text.isBlank()) {
                total.add(ScreenReason.HIDDEN_TEXT, DISGUISED);
            }
        }
        unseen(texts.head());
        unseen(text);
        unseen(html == null ? null : html.visible());
        shown(texts.names(), 0);
        shown(texts.fields(), Score.ENOUGH);
        texts.attachments().forEach(this::attachment);
        return total;
    }

    private Score body(String text) {
        return scan(texts.head() + "\n" + text, careful);
    }

    /** Of a text with quoted history, what is quoted counts half. */
    private void history(String fullText, @Nullable String own) {
        if (own == null || own.length() >= fullText.strip().length()) {
            return;
        }
        Score weighed = new Score();
        weighed.addAll(total, HISTORY);
        weighed.addAll(body(own), 1);
        total.replace(weighed);
    }

    private Score scan(String source, boolean weighs) {
        NormalForm text = NormalForm.of(source);
        TextScan scan = TextScan.of(text);
        Score score = scan.score();
        if (weighs && score.sum() >= LOW) {
            score = TextScan.of(text, new Quotations(text, scan.mentions())).score();
        }
        if (Dialogue.isIn(text)) {
            score.add(ScreenReason.CHAT_MARKUP, DIALOGUE);
        }
        if (scan.mentions().all().get(enciphered)) {
            for (String read : Ciphers.read(text, scan.mentions(), enciphered)) {
                encoded(read, score);
            }
        }
        for (String read : Encodings.in(source)) {
            encoded(read, score);
        }
        return score;
    }

    private static void encoded(String read, Score score) {
        Score inside = TextScan.of(NormalForm.of(read)).score();
        if (inside.sum() >= LOW) {
            score.addAll(inside, 1);
            score.add(ScreenReason.ENCODED_PAYLOAD, DISGUISED);
        }
    }

    private void hidden(String text, double enough) {
        if (text.isBlank()) {
            return;
        }
        Score inside = scan(text, false);
        if (inside.sum() >= enough) {
            total.addAll(inside, 1);
            total.add(ScreenReason.HIDDEN_TEXT, DISGUISED);
        }
    }

    /** What answers show beside the texts. Quotation marks belong to the notation there, and excuse nothing. */
    private void shown(String text, double enough) {
        if (text.isBlank()) {
            return;
        }
        Score inside = scan(text, false);
        if (inside.sum() >= enough) {
            total.addAll(inside, 1);
        }
        unseen(text);
    }

    /** What invisible characters say. That they say anything is enough. */
    private void unseen(@Nullable String text) {
        String said = text == null ? "" : Steganography.read(text);
        if (!said.isBlank()) {
            total.addAll(scan(said, false), 1);
            total.add(ScreenReason.CONCEALED_CHARACTERS, Score.ENOUGH);
        }
    }

    private void links(LinkCheck links) {
        if (links.deceives()) {
            total.add(ScreenReason.DECEPTIVE_LINK, PLAIN_LINK);
        }
        if (links.isFillable()) {
            total.add(ScreenReason.DECEPTIVE_LINK, OPEN_ADDRESS);
        }
    }

    private void attachment(String text) {
        Score inside = scan(text, careful);
        String said = Steganography.read(text);
        if (!said.isBlank()) {
            inside.add(ScreenReason.CONCEALED_CHARACTERS, Score.ENOUGH);
        }
        if (inside.sum() >= Score.ENOUGH) {
            total.addAll(inside, 1);
            total.add(ScreenReason.ATTACHMENT_INSTRUCTIONS, Score.ENOUGH);
        }
    }
}
