/** Tests of ARC. */
@NullMarked
package dev.inboxd.mail.arc;

import org.jspecify.annotations.NullMarked;
