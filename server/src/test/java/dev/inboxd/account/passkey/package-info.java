/** Passkeys. */
@NullMarked
package dev.inboxd.account.passkey;

import org.jspecify.annotations.NullMarked;
