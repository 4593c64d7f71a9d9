/** Tests of sessions. */
@NullMarked
package dev.inboxd.account.session;

import org.jspecify.annotations.NullMarked;
