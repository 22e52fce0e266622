package com.example.articles;

import java.util.concurrent.CyclicBarrier;

class FourTest extends BothTests {
    private static final CyclicBarrier TOGETHER = new CyclicBarrier(2);

    FourTest() {
        super(TOGETHER);
    }
}
