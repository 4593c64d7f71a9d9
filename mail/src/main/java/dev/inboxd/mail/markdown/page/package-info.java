/**
 * What is known of the HTML body of a mail before its Markdown is written: the nodes that a person sees and how each
 * looks, which tables hold data, where links lead, what is quoted. Pure.
 */
@NullMarked
package dev.inboxd.mail.markdown.page;

import org.jspecify.annotations.NullMarked;
