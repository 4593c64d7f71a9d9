/**
 * Agents that come on their own: sign-up without any credential, and the one-time code by which their human confirms
 * them (identity.md §6). Called over HTTP only.
 */
@NullMarked
package dev.inboxd.account.signup;

import org.jspecify.annotations.NullMarked;
