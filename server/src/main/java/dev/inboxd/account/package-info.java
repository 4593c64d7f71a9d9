/** How people and agents get an account: sign-up, and sessions of the console. */
@NullMarked
package dev.inboxd.account;

import org.jspecify.annotations.NullMarked;
