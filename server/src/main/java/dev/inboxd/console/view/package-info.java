/** What the templates of the console draw: the frame of a page, a month, a chart, the facts of a draft. */
@NullMarked
package dev.inboxd.console.view;

import org.jspecify.annotations.NullMarked;
