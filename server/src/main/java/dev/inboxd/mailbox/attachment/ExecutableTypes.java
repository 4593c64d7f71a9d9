package dev.inboxd.mailbox.attachment;

/** Recognizes files that an operating system would execute. */
final class ExecutableTypes {
    /** The magic numbers of Windows, ELF, the four of Mach-O, and of scripts that name their interpreter. */
    private static final int[][] MAGIC_NUMBERS = {
        {'M', 'Z', -1},
        {0x7F, 'E', 'L', 'F'},
        {0xFE, 0xED, 0xFA, 0xCE},
        {0xFE, 0xED, 0xFA, 0xCF},
        {0xCE, 0xFA, 0xED, 0xFE},
        {0xCF, 0xFA, 0xED, 0xFE},
        {'#', '!', '/'}
    };

    /** Length of a Windows header; text that begins with the same two letters has no zero octet in it. */
    private static final int WINDOWS_HEADER = 64;

    private ExecutableTypes() {}

    /** Whether a file with these first octets is a program. */
    static boolean startOne(byte[] start) {
        for (int[] magic : MAGIC_NUMBERS) {
            if (matches(magic, start)) {
                return true;
            }
        }
        return false;
    }

    private static boolean matches(int[] magic, byte[] start) {
        for (int i = 0; i < magic.length; i++) {
            if (magic[i] < 0) {
                return hasWindowsHeader(start);
            }
            if (i >= start.length || (start[i] & 0xFF) != magic[i]) {
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
