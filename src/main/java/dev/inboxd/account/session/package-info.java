/**
 * Sessions of humans in the console. A code by mail opens a session, whose signed, short-lived tokens are a credential
 * of the whole organization (identity.md §17). Used over HTTP, and by the authentication of every request whose
 * credential looks like a token.
 */
@NullMarked
package dev.inboxd.account.session;

import org.jspecify.annotations.NullMarked;
