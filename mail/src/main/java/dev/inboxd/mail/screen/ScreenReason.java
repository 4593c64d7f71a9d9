package dev.inboxd.mail.screen;

import java.util.Locale;

/** Why a mail should be looked at. The words are part of the interface: new ones may come, none changes its meaning. */
public enum ScreenReason {
    /** It tells a reader to drop, replace or outrank its instructions. */
    INSTRUCTION_OVERRIDE,
    /** It gives the reader another role, persona or mode without rules. */
    ROLE_CHANGE,
    /** It claims to come from the reader's maker, operator or system. */
    FALSE_AUTHORITY,
    /** It imitates turns, system blocks or delimiters of a model's dialogue. */
    CHAT_MARKUP,
    /** It carries or asks for a call of a tool. */
    TOOL_CALL,
    /** It asks to forward, collect, post or embed mail, contacts or files. */
    DATA_EXFILTRATION,
    /** It asks for keys, passwords, one-time codes or prompts. */
    CREDENTIAL_REQUEST,
    /** It asks to keep its wish from the user, or to skip confirmation. */
    SECRECY_REQUEST,
    /** It asks to remember a rule, or to act on later mail. */
    STANDING_ORDER,
    /** It has words that a person cannot see. */
    HIDDEN_TEXT,
    /** It has zero-width, tag, bidi or look-alike characters inside words. */
    CONCEALED_CHARACTERS,
    /** It asks to decode something and to follow it, or carries an encoded order. */
    ENCODED_PAYLOAD,
    /** It has a link whose text names another host, or an image address that is to be filled with data. */
    DECEPTIVE_LINK,
    /** A text attachment or a calendar part has any of these. */
    ATTACHMENT_INSTRUCTIONS,
    /** It could not be judged. */
    SCAN_FAILED;

    private final String word = name().toLowerCase(Locale.ROOT);

    /** The word of the interface, such as {@code hidden_text}. */
    public String word() {
        return word;
    }
}
