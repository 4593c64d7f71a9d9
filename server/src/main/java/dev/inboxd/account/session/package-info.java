/**
 * Humans who sign in to the console: a code by mail opens a session, whose signed, short-lived tokens are a credential
 * of the whole organization (identity.md §17). The authentication of a request checks them too.
 */
@NullMarked
package dev.inboxd.account.session;

import org.jspecify.annotations.NullMarked;
