package dev.inboxd.move;

/** Is told how a move goes on. */
public interface MoveProgress {
    /** A step is behind it. */
    void step(MoveStep step);

    /** What is being done, many times a second, for people. */
    void show(String text);
}
