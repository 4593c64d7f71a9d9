/** Tests of the SMTP dialogue; most of them are the scripts in {@code src/test/resources/dialogs}. */
@NullMarked
package dev.inboxd.receive;

import org.jspecify.annotations.NullMarked;
