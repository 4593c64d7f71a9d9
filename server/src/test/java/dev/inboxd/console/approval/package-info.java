/** What somebody sees of drafts and held mail before deciding. */
@NullMarked
package dev.inboxd.console.approval;

import org.jspecify.annotations.NullMarked;
