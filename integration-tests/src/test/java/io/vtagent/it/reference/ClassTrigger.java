package io.vtagent.it.reference;

/** The way in which a program comes to load or initialize a class. */
enum ClassTrigger {
    /** Code that refers to it is run for the first time. */
    LINK,
    /** {@code Class.forName}, a native method. */
    FOR_NAME,
    /** {@code ClassLoader.loadClass}, in plain Java; loads it only. */
    LOAD_CLASS,
    /** {@code Method.invoke} of a static method. */
    REFLECTION,
    /** A method handle of a static method. */
    METHOD_HANDLE
}
