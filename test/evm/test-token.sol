// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.0;

// What test-token.ts assembles by hand, in the words of Solidity. Nothing compiles this file. One thing differs: the
// assembled code keeps the balance of an address in the storage slot whose number is the address.
contract TestToken {
    mapping(address => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 amount);

    constructor() {
        balanceOf[msg.sender] = 1e24;
    }

    function transfer(address to, uint256 amount) public returns (bool) {
        require(balanceOf[msg.sender] >= amount);
        unchecked {
            balanceOf[msg.sender] -= amount;
            balanceOf[to] += amount;
        }
        emit Transfer(msg.sender, to, amount);
        return true;
    }

    function transferTwice(address to, uint256 amount) external returns (bool) {
        transfer(to, amount);
        return transfer(to, amount);
    }
}
