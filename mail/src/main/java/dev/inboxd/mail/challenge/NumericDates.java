package dev.inboxd.mail.challenge;

/** Says which digits may be a year or a date. */
final class NumericDates {
    private static final int YEAR = 4;
    private static final int FULL = 8;
    private static final int SHORT = 6;

    private NumericDates() {}

    /** Whether they are four that may be a year. */
    static boolean isYear(CharSequence digits) {
        return digits.length() == YEAR && isYear(number(digits, 0, YEAR));
    }

    /** Whether they are four that may be hours and minutes. */
    static boolean isTime(CharSequence digits) {
        return digits.length() == 4
                && digits.chars().allMatch(CodeText::isDigit)
                && number(digits, 0, 2) < 24
                && number(digits, 2, 4) < 60;
    }

    /**
     * Whether they are a year, a month and a day, or three pairs with signs between that may be a date in some order.
     *
     * @param groups of how many groups they consist
     * @param signs whether a hyphen or a dot stands between these
     */
    static boolean isDate(CharSequence digits, int groups, boolean signs) {
        if (digits.length() == FULL && groups == 1) {
            return isYear(number(digits, 0, 4)) && isMonthAndDay(number(digits, 4, 6), number(digits, 6, 8));
        }
        if (digits.length() != SHORT || groups != 3 || !signs) {
            return false;
        }
        int first = number(digits, 0, 2);
        int second = number(digits, 2, 4);
        int third = number(digits, 4, 6);
        return isMonthAndDay(second, first) || isMonthAndDay(second, third) || isMonthAndDay(first, second);
    }

    private static boolean isYear(int year) {
        return year >= 1900 && year <= 2099;
    }

    private static boolean isMonthAndDay(int month, int day) {
        return month >= 1 && month <= 12 && day >= 1 && day <= 31;
    }

    private static int number(CharSequence digits, int start, int end) {
        return Integer.parseInt(digits, start, end, 10);
    }
}
