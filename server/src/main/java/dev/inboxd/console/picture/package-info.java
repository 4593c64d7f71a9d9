/** Pictures of mail, copied so that nothing but what is drawn reaches a browser. */
@NullMarked
package dev.inboxd.console.picture;

import org.jspecify.annotations.NullMarked;
