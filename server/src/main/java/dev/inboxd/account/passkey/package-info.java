/**
 * Passkeys of people who sign in to the console (WebAuthn Level 3): made on the page People, asked for on the page of
 * signing in. A code by mail stays the other way.
 */
@NullMarked
package dev.inboxd.account.passkey;

import org.jspecify.annotations.NullMarked;
