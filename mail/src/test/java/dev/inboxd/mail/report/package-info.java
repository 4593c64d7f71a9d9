/** Tests of reading reports. */
@NullMarked
package dev.inboxd.mail.report;

import org.jspecify.annotations.NullMarked;
