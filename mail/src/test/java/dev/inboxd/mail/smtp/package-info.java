/** Tests of the SMTP codec. */
@NullMarked
package dev.inboxd.mail.smtp;

import org.jspecify.annotations.NullMarked;
