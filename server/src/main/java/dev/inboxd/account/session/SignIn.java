package dev.inboxd.account.session;

/**
 * What a human signs in with.
 *
 * @param human the address
 * @param digits the code of the mail
 * @param isDeviceTrusted whether the session lasts 30 days, with one token
 * @param origin where it was done
 */
record SignIn(String human, String digits, boolean isDeviceTrusted, SessionOrigin origin) {}
