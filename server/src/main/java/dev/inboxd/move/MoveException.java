package dev.inboxd.move;

import dev.inboxd.base.error.OperatorException;

/** Why a move does not go on, in a sentence for the operator. */
public final class MoveException extends OperatorException {
    private static final long serialVersionUID = 1L;

    public MoveException(String message) {
        super(message);
    }
}
