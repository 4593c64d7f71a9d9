/** Tests of accounts. */
@NullMarked
package dev.inboxd.app.account;

import org.jspecify.annotations.NullMarked;
