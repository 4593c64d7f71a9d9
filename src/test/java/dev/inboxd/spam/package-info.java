/** Tests of what organizations teach about spam. */
@NullMarked
package dev.inboxd.spam;

import org.jspecify.annotations.NullMarked;
