/** Tests of SPF. */
@NullMarked
package dev.inboxd.mail.spf;

import org.jspecify.annotations.NullMarked;
