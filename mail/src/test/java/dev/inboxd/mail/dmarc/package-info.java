/** Tests of DMARC. */
@NullMarked
package dev.inboxd.mail.dmarc;

import org.jspecify.annotations.NullMarked;
