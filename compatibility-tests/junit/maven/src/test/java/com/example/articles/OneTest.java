package com.example.articles;

import java.util.concurrent.CyclicBarrier;

class OneTest extends BothTests {
    private static final CyclicBarrier TOGETHER = new CyclicBarrier(2);

    OneTest() {
        super(TOGETHER);
    }
}
