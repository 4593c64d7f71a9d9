/**
 * What a person sees of the HTML of a mail: a tree within limits, the mail's own style sheets, and for each text
 * whether it is shown. Pure.
 */
@NullMarked
package dev.inboxd.mail.html;

import org.jspecify.annotations.NullMarked;
