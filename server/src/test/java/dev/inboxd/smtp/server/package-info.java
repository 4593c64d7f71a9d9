/** Tests of the SMTP dialogue; most of them are the scripts in {@code server/src/test/resources/dialogs}. */
@NullMarked
package dev.inboxd.smtp.server;

import org.jspecify.annotations.NullMarked;
