package dev.inboxd.mail.screen;

/** Letters of other scripts, and digits, that look like Latin letters. */
final class Lookalikes {
    private static final char FIRST = 0x0080;
    private static final char[] ALIKE = new char[0xABC0];

    /** Pairs: a letter, and the small Latin one that it looks like. */
    private static final String PAIRS = "аaвbсcеeёeһhіiїiјjкkмmнhоoрpѕsтtуyхxԁdԛqԝwгrпnѵvӏlԍgүyєeзzьbшwщwлnиuцu"
            + "αaβbγyδdεeζzηnθoιiκkλaμuνvξeοoπnρpσoτtυuφoχxψwωw"
            + "ɑaɡgɪiɴnʀrʏyʟlɢgʙbʜhᴀaᴄcᴅdᴇeᴊjᴋkᴍmᴏoᴘpᴛtᴜuᴠvᴡwᴢzꜱsꜰfɩiıiʋvɯwɾrɛeɔo"
            + "օoոnհhսuցgաwյjքpզqղnցgԱuՏsԼlꭰdꭱrꭲtꮪsꮃwꮩvꮇmꮮlꮯcꮲpꮶkꭺaꭼeꮋhꮓz";

    static {
        for (int i = 0; i + 1 < PAIRS.length(); i += 2) {
            ALIKE[PAIRS.charAt(i)] = PAIRS.charAt(i + 1);
        }
    }

    private Lookalikes() {}

    /** The Latin letter that a letter looks like, or the letter itself. */
    static char of(char letter) {
        char alike = letter >= FIRST && letter < ALIKE.length ? ALIKE[letter] : 0;
        return alike == 0 ? letter : alike;
    }

    /** The letter that a digit stands for among letters, or the character itself. */
    static char letter(char digit) {
        return switch (digit) {
            case '0' -> 'o';
            case '1' -> 'i';
            case '3' -> 'e';
            case '4' -> 'a';
            case '5' -> 's';
            case '7' -> 't';
            default -> digit;
        };
    }
}
