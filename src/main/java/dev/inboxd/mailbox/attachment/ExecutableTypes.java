package dev.inboxd.mailbox.attachment;

/** Tells whether a file is one that an operating system would run. */
final class ExecutableTypes {
    /** Windows, ELF, the four of Mach-O, and scripts that name their interpreter. */
    private static final int[][] MARKS = {
        {'M', 'Z', -1},
        {0x7F, 'E', 'L', 'F'},
        {0xFE, 0xED, 0xFA, 0xCE},
        {0xFE, 0xED, 0xFA, 0xCF},
        {0xCE, 0xFA, 0xED, 0xFE},
        {0xCF, 0xFA, 0xED, 0xFE},
        {'#', '!', '/'}
    };

    /** The rest of a Windows header, which text that begins with the same two letters does not have. */
    private static final int WINDOWS_HEADER = 64;

    private ExecutableTypes() {}

    /** Whether these first octets are a program's. */
    static boolean startOne(byte[] start) {
        for (int[] mark : MARKS) {
            if (matches(mark, start)) {
                return true;
            }
        }
        return false;
    }

    private static boolean matches(int[] mark, byte[] start) {
        for (int i = 0; i < mark.length; i++) {
            if (mark[i] < 0) {
                return hasWindowsHeader(start);
            }
            if (i >= start.length || (start[i] & 0xFF) != mark[i]) {
                return false;
            }
        }
        return true;
    }

    private static boolean hasWindowsHeader(byte[] start) {
        for (int i = 2; i < Math.min(start.length, WINDOWS_HEADER); i++) {
            if (start[i] == 0) {
                return start.length >= WINDOWS_HEADER;
            }
        }
        return false;
    }
}
