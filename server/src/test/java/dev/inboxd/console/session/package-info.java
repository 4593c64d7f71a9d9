/** Who gets into the console, and which programs a person lets in. */
@NullMarked
package dev.inboxd.console.session;

import org.jspecify.annotations.NullMarked;
